/** The application in Chromium, and what journeys do with it and ask of it again and again. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { serveApplication } from '../../../app/server/server.ts';
import { buildApplication, hasChromium, onHardware, sharedChromium, takesSoftware } from './chromium.ts';
import { asHardware } from './hardware.ts';
import { cropped, readPng } from './picture.ts';
import type { Box, Picture } from './picture.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** Whether this machine has what the journeys run in: Chromium, against the local server. In Electron it is test/electron. */
export const hasHost = hasChromium && process.env['SHOAL_TEST_GPU'] !== 'none';
const WIDTH = 1024;
const HEIGHT = 700;
/** A journey waits that long for something to appear: many times what an idle machine needs. */
export const PATIENCE = Number(process.env['SHOAL_E2E_PATIENCE'] ?? 120_000);

/** The first scenario on a small grid, with few members: its cycles take a few milliseconds. */
export function smallScenario(name: string, cycles: number): Record<string, unknown> {
  const text = readFileSync(join(ROOT, 'scenarios', 'first-light.json'), 'utf8');
  const first = JSON.parse(text) as Record<string, Record<string, unknown>>;
  return {
    ...first,
    name,
    title: `Small basin ${name}`,
    description: '',
    // Its steps are of the whole basin.
    lesson: [],
    grid: { nx: 24, ny: 24, dx: 1, dy: 1 },
    background: { ...first['background'], members: 6 },
    experiment: { cycles, window: 1, spinup: 1 },
  };
}

interface View {
  readonly name: string;
  readonly box: Box;
}

export interface Laboratory {
  readonly page: Page;
  /** The cycle on screen. */
  cycle(): Promise<number>;
  title(): Promise<string>;
  /** Waits until a cycle of that number or a later one is on screen. */
  reach(cycle: number): Promise<void>;
  /** Plays faster than the page does by itself, which waits two seconds between cycles. */
  atSpeed(cyclesASecond: number): Promise<void>;
  /** Stops playing; the cycle on screen stays. */
  pause(): Promise<number>;
  /** Runs a command by its title, through the palette. */
  command(title: string): Promise<void>;
  views(): Promise<readonly View[]>;
  /** The water in the middle of each view, by the view's name, once two pictures in a row are the same. */
  water(): Promise<ReadonlyMap<string, Picture>>;
}

export interface LaboratoryOptions {
  /** What the page shows first; all controls if omitted. */
  readonly view?: string;
  /** Opened as from the command line; otherwise the first launch's. */
  readonly scenario?: object;
  readonly width?: number;
  readonly height?: number;
  /** Whether water moves between analyses; by default motion is reduced, so that pictures can be compared. */
  readonly moves?: boolean;
  /** Run in the page before everything else, in their order. */
  readonly before?: readonly (() => void)[];
  /** Errors in the page's console that belong to the journey; every other fails it. */
  readonly expectedErrors?: RegExp;
}

/** Without the pickers of files, which no script can answer, the page uses inputs and downloads. */
function withoutPickers(): void {
  for (const name of ['showOpenFilePicker', 'showSaveFilePicker', 'showDirectoryPicker']) {
    Reflect.deleteProperty(globalThis, name);
  }
}

/** What the security policy forbids is an error of the page, also where a library catches it. */
function tellViolations(): void {
  document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI, sourceFile, lineNumber }) => {
    // eslint-disable-next-line no-console -- the journey listens there
    console.error(`the security policy forbids ${violatedDirective}: ${blockedURI} in ${sourceFile}:${lineNumber}`);
  });
}

async function viewsOf(page: Page): Promise<readonly View[]> {
  return page.locator('.view-frame').evaluateAll((frames) =>
    frames.map((frame) => {
      const { x, y, width, height } = frame.getBoundingClientRect();
      return { name: frame.querySelector('.view-name')?.textContent ?? '', box: { x, y, width, height } };
    }),
  );
}

/** The middle of a view, where no words are. */
export function middle({ x, y, width, height }: Box): Box {
  return {
    x: Math.round(x + width / 4),
    y: Math.round(y + 0.35 * height),
    width: Math.floor(width / 2),
    height: Math.floor(height * 0.3),
  };
}

async function waterOf(page: Page): Promise<ReadonlyMap<string, Picture>> {
  let before: Buffer = Buffer.alloc(0);
  await page.locator('canvas[data-still]').waitFor({ timeout: PATIENCE });
  await expect
    .poll(
      async () => {
        const previous = before;
        before = await page.screenshot({ animations: 'disabled' });
        return before.equals(previous);
      },
      // Longer than the stage rests before it draws its last and finest frame.
      { timeout: PATIENCE, interval: 1500 },
    )
    .toBe(true);
  const picture = readPng(before);
  return new Map((await viewsOf(page)).map(({ name, box }) => [name, cropped(picture, middle(box))]));
}

/** What journeys do with a page of the application. */
export function laboratoryOf(page: Page): Laboratory {
  const cycle = async (): Promise<number> =>
    Number((await page.getByRole('slider', { name: 'Cycle on screen' }).getAttribute('aria-valuenow')) ?? Number.NaN);
  return {
    page,
    cycle,
    title: async () => (await page.locator('.scenario-title').textContent()) ?? '',
    async reach(wanted) {
      await expect.poll(cycle, { timeout: PATIENCE }).toBeGreaterThanOrEqual(wanted);
    },
    async atSpeed(cyclesASecond) {
      await page.getByRole('combobox', { name: 'Speed, cycles a second' }).selectOption(String(cyclesASecond));
    },
    async pause() {
      const playing = page.getByRole('button', { name: 'Pause' }).last();
      if (await playing.isVisible()) await playing.click();
      await expect.poll(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
      return cycle();
    },
    async command(title) {
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search commands' }).fill(title);
      await page.keyboard.press('Enter');
    },
    views: () => viewsOf(page),
    water: () => waterOf(page),
  };
}

let browser: Browser | undefined;
let folder = '';
let served: string | undefined;
/** Ends what a journey opened; throws if the page reported errors. */
let ending: (() => Promise<void>) | undefined;
/** The page that a journey opened last. */
let latest: Page | undefined;

/** What a journey that failed saw last, for whoever has to find out why. */
async function keepPicture(journey: string): Promise<void> {
  const pictures = join(ROOT, 'node_modules', '.cache', 'shoal', 'failed-journeys');
  mkdirSync(pictures, { recursive: true });
  const path = join(pictures, `${journey.replaceAll(/[^\w]+/g, '-')}.png`);
  await latest?.screenshot({ path, timeout: 20_000 }).catch(() => undefined);
}

/** For a file of journeys: the application built, the worker's browser, and each journey ended when it is over. */
export function withBrowser(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-desktop-'));
    served ??= buildApplication();
    browser = await sharedChromium();
  }, 300_000);
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' || task.result?.errors?.length) await keepPicture(task.name);
    const end = ending;
    ending = undefined;
    await end?.();
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
}

/** A page of the application, and the end of it. */
interface Opened {
  readonly page: Page;
  readonly url: string;
  close(): Promise<void>;
}

/** A page in Chromium, for the application served as from the command line. */
async function openPage(
  { width, height, moves = false, before = [], view = 'researcher' }: LaboratoryOptions,
  given: string | undefined,
): Promise<Opened> {
  if (!browser || served === undefined) throw new Error('withBrowser() comes first');
  const application = await serveApplication(served, { ...(given !== undefined && { given }), view, port: 0 });
  const context = await browser.newContext({
    viewport: { width: width ?? WIDTH, height: height ?? HEIGHT },
    reducedMotion: moves ? 'no-preference' : 'reduce',
    colorScheme: 'dark',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE);
  await context.addInitScript(withoutPickers);
  await context.addInitScript(tellViolations);
  for (const script of [...(takesSoftware ? [asHardware] : []), ...before]) await context.addInitScript(script);
  return {
    page: await context.newPage(),
    url: application.url,
    async close() {
      await context.close();
      await application.close();
    },
  };
}

/** Opens the application again, with nothing remembered. */
export async function openLaboratory(options: LaboratoryOptions = {}): Promise<Laboratory> {
  const { scenario, expectedErrors } = options;
  const given = scenario ? join(folder, 'given.json') : undefined;
  if (given !== undefined) writeFileSync(given, JSON.stringify(scenario));
  const opened = await openPage(options, given);
  const { page } = opened;
  latest = page;
  const errors: string[] = [];
  const keep = (text: string): void => {
    if (expectedErrors?.test(text) !== true) errors.push(text);
  };
  // Choosers are the journey's from the start: one that opens before the browser knows would be lost.
  page.on('filechooser', () => undefined);
  page.on('pageerror', ({ message }) => keep(message));
  page.on('console', (message) => {
    if (message.type() === 'error') keep(message.text());
  });
  ending = async () => {
    await opened.close();
    if (errors.length > 0) throw new Error(`the page reported errors:\n${errors.join('\n')}`);
  };
  await page.goto(opened.url);
  // Keys do nothing before the window is drawn.
  await page.locator('#app > *').first().waitFor({ state: 'attached' });
  const laboratory = laboratoryOf(page);
  if (scenario && 'title' in scenario) {
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe(scenario.title);
  }
  // On a GPU a journey that fell back to the processor would show nothing.
  if (onHardware) {
    await expect.poll(() => page.locator('.backend').innerText(), { timeout: PATIENCE }).toContain('WebGPU');
  }
  return laboratory;
}
