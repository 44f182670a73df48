/** What every page has to do in every browser: play, draw, teach, explain, open a link, change a setting, and save its run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { writeLink } from '../../app/features/links/link.ts';
import { createCatalogue } from '../../app/document/scenario/bundled-scenarios.ts';
import { parseScenario } from '../../engine/index.ts';
import { PATIENCE, smallScenario } from '../e2e/desktop/laboratory.ts';
import { countColours, shareOfDifference } from '../e2e/desktop/picture.ts';
import type { Picture } from '../e2e/desktop/picture.ts';
import { isNightly } from '../setup/nightly.ts';
import { startScreen } from '../setup/screen.ts';
import type { Screen } from '../setup/screen.ts';
import type { Browser } from './browser.ts';
import type { Candidate } from './host.ts';
import { laboratoryIn } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const LINKED = 'linked';
const LINKED_SEED = 12;
const LINKED_CYCLE = 2;
const CHANGED_SEED = 34;

/** A page that is served. */
export interface ServedPage {
  readonly url: string;
  end(): Promise<void>;
}

/** @returns a link to a scenario that does not ship, so that the link spells it out */
function link(): string {
  const raw = { ...smallScenario(LINKED, 40), seed: LINKED_SEED };
  const { scenario } = parseScenario(JSON.stringify(raw), LINKED);
  const content = { scenario, raw, cycle: LINKED_CYCLE, views: { fields: ['speed' as const] } };
  const written = writeLink(content, createCatalogue());
  if (written === undefined) throw new Error('there is no link');
  return written;
}

/** @returns what `shoal validate` says of a file, and its exit code */
async function validate(file: string): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'app', 'cli', 'bootstrap.mjs'), 'validate', file]);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (said += text));
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, said };
}

/** @returns the parts of the one archive in a folder; undefined until it is whole: a browser writes it bit by bit */
function downloaded(folder: string): Readonly<Record<string, Uint8Array>> | undefined {
  const [name, ...others] = readdirSync(folder);
  if (!name?.endsWith('.zip') || others.length > 0) return undefined;
  try {
    return unzipSync(new Uint8Array(readFileSync(join(folder, name))));
  } catch {
    return undefined;
  }
}

/** What there is to be seen in the views. */
function judge(water: ReadonlyMap<string, Picture>) {
  const [free, ring] = ['Free run', 'LETKF'].map((method) => water.get(method));
  return {
    views: [...water.keys()],
    areDrawn: Math.min(...[...water.values()].map(countColours)) > 12,
    differ: free !== undefined && ring !== undefined && shareOfDifference(free, ring) > 0.05,
  };
}

/** What a test that failed saw last, for whoever has to find out why. */
async function keepPicture(browser: Browser, test: string): Promise<void> {
  const pictures = join(ROOT, 'node_modules', '.cache', 'shoal', 'failed-journeys');
  mkdirSync(pictures, { recursive: true });
  writeFileSync(join(pictures, `${test.replaceAll(/[^\w]+/g, '-')}.png`), await browser.screenshot());
}

/** The tests of a page in a browser, in their order: each continues from where the one before has left the page. */
export function journey({ name, start, hasThreads }: Candidate, serve: (folder: string) => Promise<ServedPage>): void {
  let folder = '';
  let downloads = '';
  let screen: Screen;
  let served: ServedPage;
  let browser: Browser;
  let laboratory: Laboratory;
  /** The seed of the scenario on the page, which is first that of the first comparison. */
  let seed = 7;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shoal-browser-'));
    const home = join(folder, 'home');
    downloads = join(folder, 'downloads');
    for (const each of [home, downloads]) mkdirSync(each, { mode: 0o700 });
    served = await serve(join(folder, 'page'));
    screen = await startScreen();
    browser = await start({ display: screen.display, home, downloads });
    laboratory = laboratoryIn(browser);
    const first = new URL(served.url);
    first.searchParams.set('view', 'researcher');
    await browser.open(first.href);
  });
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail') await keepPicture(browser, `${name} ${task.name}`);
  });
  afterAll(async () => {
    await browser.close();
    screen.end();
    await served.end();
    rmSync(folder, { recursive: true, force: true });
  });

  it('plays the first comparison, and draws different water for each method', async () => {
    await laboratory.choose('.speed select', '4');
    await laboratory.reach(3);
    await laboratory.pause();
    expect(await laboratory.text('.scenario-title')).toBe('One stone, nine gauges');
    // The stage draws its finest frame some time after the run rests.
    await expect
      .poll(async () => judge(await laboratory.water()), { timeout: PATIENCE, interval: 500 })
      .toEqual({
        views: ['Truth', 'Free run', '3D-Var', 'LETKF'],
        areDrawn: true,
        differ: true,
      });
  });

  it('computes on several threads, or says that it computes on one', async () => {
    expect(await browser.evaluate('return [crossOriginIsolated, typeof SharedArrayBuffer];')).toEqual([
      true,
      hasThreads ? 'function' : 'undefined',
    ]);
    await laboratory.sees(
      '.backend',
      hasThreads ? /^CPU, SIMD\s*WebAssembly SIMD(, fused multiply-add)?$/ : 'one thread',
    );
    if (!hasThreads) await laboratory.sees('.notices [role=status]', 'The processor computes on one thread here');
    const cores = Number(await browser.evaluate('return navigator.hardwareConcurrency;'));
    await laboratory.command('Kernel times');
    await laboratory.sees('[data-figure=kernels]', `Threads${hasThreads ? Math.min(16, cores) : 1}`);
  });

  it.runIf(isNightly)('takes two steps of the lesson', async () => {
    await browser.press('t');
    await laboratory.sees('[aria-label=Lesson]', 'Step 1 of 6');
    await laboratory.click('.lesson-next');
    await laboratory.sees('[aria-label=Lesson] .lesson-count', 'Step 2 of 6');
    await laboratory.sees('[aria-label=Lesson] h2', 'Nine gauges');
    await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(0);
    await laboratory.click('[aria-label="Close the lesson"]');
    await laboratory.misses('[aria-label=Lesson]');
  });

  it.runIf(isNightly)('opens a link that spells out its scenario', async () => {
    seed = LINKED_SEED;
    await browser.open('about:blank');
    await browser.open(served.url + link());
    await laboratory.sees('.scenario-title', `Small basin ${LINKED}`);
    await laboratory.reach(LINKED_CYCLE);
    expect(await laboratory.cycle()).toBe(LINKED_CYCLE);
    await laboratory.holds('select[aria-label=Field]', 'speed');
  });

  it.runIf(isNightly)('explains an analysis by an X-ray', async () => {
    await laboratory.click('.stage-canvas');
    await browser.press('ArrowUp', 'Shift');
    await browser.press('x');
    await laboratory.sees('[aria-label="X-ray"] [role=status]', `cycle ${LINKED_CYCLE}`);
    await laboratory.sees('.foot-bars', 'corr h (1)');
    await laboratory.sees('[role=tabpanel]', /trusts? (its|their) backgrounds?/);
    await browser.press('Escape');
    await laboratory.misses('[aria-label="X-ray"].xray-bar');
    expect(await laboratory.cycle()).toBe(LINKED_CYCLE);
  });

  it('applies a changed setting', async () => {
    await laboratory.click('[aria-label="Show settings"]');
    await laboratory.fill('.settings-filter input', 'seed');
    await laboratory.holds('.settings [data-path=seed] input', String(seed));
    await laboratory.fill('.settings [data-path=seed] input', String(CHANGED_SEED));
    await laboratory.click('.settings-actions button', 'Restart with these settings');
    await laboratory.sees('.settings-actions', 'Nothing to apply');
    await laboratory.click('[aria-label="One cycle forward"]');
    await laboratory.reach(1);
    expect(await laboratory.cycle()).toBeGreaterThanOrEqual(1);
  });

  it.runIf(isNightly)('saves the run with it', async () => {
    await laboratory.command('Save run as folder');
    await laboratory.sees('.notices', 'Saved ');
    let parts: Readonly<Record<string, Uint8Array>> = {};
    const download = (): boolean => {
      parts = downloaded(downloads) ?? {};
      return Object.keys(parts).length > 0;
    };
    await expect.poll(download, { timeout: PATIENCE }).toBe(true);
    const record = Object.keys(parts).find((part) => part.endsWith('run.json')) ?? '';
    const { scenario } = JSON.parse(new TextDecoder().decode(parts[record])) as { readonly scenario: object };
    expect(scenario).toMatchObject({ name: LINKED, seed: CHANGED_SEED });
    const file = join(folder, 'saved.json');
    writeFileSync(file, JSON.stringify(scenario));
    expect(await validate(file)).toMatchObject({ code: 0, said: expect.stringContaining('valid') as string });
  });

  // Firefox may hang where workers start workers.
  it.runIf(isNightly && hasThreads)('restarts the run sixty times', { timeout: 600_000 }, async () => {
    for (let restart = 1; restart <= 60; restart++) {
      await laboratory.fill('.settings [data-path=seed] input', String(CHANGED_SEED + restart));
      await laboratory.click('.settings-actions button', 'Restart with these settings');
      await laboratory.sees('.settings-actions', 'Nothing to apply');
      await laboratory.click('[aria-label="One cycle forward"]');
      await laboratory.reach(1);
    }
    expect(await laboratory.cycle()).toBeGreaterThanOrEqual(1);
  });

  it('has no error in its console', async () => {
    expect(await browser.errors()).toEqual([]);
    // It would have one.
    await browser.evaluate("console.error('of the test');");
    await expect.poll(() => browser.errors()).toEqual(['of the test']);
  });
}
