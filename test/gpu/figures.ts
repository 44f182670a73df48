/**
 * How the page plays on a GPU: time to the first cycle, pictures a second, the longest picture, tasks at start that hold the page up,
 * the heap. The figures are printed, and the requirements are judged.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { takesSoftware } from '../e2e/desktop/chromium.ts';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from '../e2e/desktop/laboratory.ts';
import { framesFor, watch } from './watch.ts';
import type { Watched } from './watch.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const PICTURES = join(ROOT, 'node_modules', '.cache', 'shoal', 'gpu');
const SCENARIOS = (
  process.env['SHOAL_GPU_SCENARIOS'] ?? 'one-stone,when-hybrid-wins,tsunami-harbour,lorenz-96,large'
).split(',');
/** It is played for so long, ms. */
const PLAYED = Number(process.env['SHOAL_GPU_MILLISECONDS'] ?? 10_000);
/** So many that it computes as long as it is played. */
const CYCLES = 400;
const MEBIBYTE = 2 ** 20;

/** The requirements: a display of 60 Hz skips no more than one picture in forty; of `large` too. */
const LEAST_RATE = 58.5;
const LONGEST_PICTURE = 50;
const MOST_HEAP = 300 * MEBIBYTE;

interface Figures {
  readonly name: string;
  readonly firstCycle: number;
  readonly rate: number;
  readonly longest: number;
  /** Tasks of 50 ms and more before the first cycle, ms. */
  readonly tasks: readonly number[];
  /** The most that scripts and their arrays have taken, bytes. */
  readonly heap: number;
  readonly cyclesPerSecond: number;
}

async function heapOf(session: CDPSession): Promise<number> {
  const usage = (await session.send('Runtime.getHeapUsage')) as { usedSize: number; backingStorageSize?: number };
  return usage.usedSize + (usage.backingStorageSize ?? 0);
}

/** Looks at the heap several times while something is done. */
async function mostHeapWhile<Result>(session: CDPSession, work: Promise<Result>): Promise<readonly [Result, number]> {
  let most = 0;
  const look = async (): Promise<void> => {
    most = Math.max(most, await heapOf(session));
  };
  const timer = setInterval(() => void look(), 500);
  const result = await work.finally(() => clearInterval(timer));
  await look();
  return [result, most];
}

async function watchedIn(page: Page): Promise<Watched> {
  return page.evaluate(() => (globalThis as unknown as { readonly watched: Watched }).watched);
}

async function measure(name: string): Promise<Figures> {
  const whole = JSON.parse(readFileSync(join(ROOT, 'scenarios', `${name}.json`), 'utf8')) as {
    readonly title: string;
    readonly experiment: object;
  };
  const scenario = { ...whole, experiment: { ...whole.experiment, cycles: CYCLES } };
  const laboratory = await openLaboratory({
    scenario,
    moves: true,
    width: 1920,
    height: 1080,
    before: [watch],
  });
  const { page } = laboratory;
  const session = await page.context().newCDPSession(page);
  await laboratory.reach(0);
  const { firstCycle, tasks } = await watchedIn(page);
  await page.getByLabel('Speed, cycles a second').selectOption('16');
  const before = (await watchedIn(page)).cycles;
  const [frames, heap] = await mostHeapWhile(session, page.evaluate(framesFor, PLAYED));
  const { cycles } = await watchedIn(page);
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), timeout: PATIENCE });
  return {
    name,
    firstCycle,
    tasks: tasks.filter(({ begin }) => begin < firstCycle).map(({ duration }) => duration),
    rate: (1000 * frames.length) / frames.reduce((sum, each) => sum + each, 0),
    longest: Math.max(...frames),
    heap,
    cyclesPerSecond: (1000 * (cycles - before)) / PLAYED,
  };
}

function print(all: readonly Figures[]): void {
  const head = ['scenario', 'first cycle', 'pictures/s', 'longest', 'cycles/s', 'heap', 'tasks at start'];
  const rows = all.map(({ name, firstCycle, rate, longest, tasks, heap, cyclesPerSecond }) => [
    name,
    `${(firstCycle / 1000).toFixed(1)} s`,
    rate.toFixed(1),
    `${longest.toFixed(0)} ms`,
    cyclesPerSecond.toFixed(1),
    `${(heap / MEBIBYTE).toFixed(0)} MiB`,
    `${tasks.map((task) => task.toFixed(0)).join(', ') || 'none'}${tasks.length > 0 ? ' ms' : ''}`,
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  for (const row of [head, ...rows]) {
    process.stderr.write(`${row.map((cell, column) => cell.padEnd(widths[column])).join('  ')}\n`);
  }
}

describe.runIf(hasHost)('the page on a GPU', () => {
  withBrowser();
  const all: Figures[] = [];

  it.each(SCENARIOS)('plays %s without a stop', async (name) => {
    const first = await measure(name);
    const figures = await measure(name);
    all.push({ ...first, name: `${name}, first time` }, figures);
    print(all);
    if (takesSoftware) return;
    expect.soft(figures.rate, 'pictures a second').toBeGreaterThan(LEAST_RATE);
    expect.soft(figures.longest, 'the longest picture, ms').toBeLessThanOrEqual(LONGEST_PICTURE);
    expect.soft(figures.heap, 'the heap, bytes').toBeLessThanOrEqual(MOST_HEAP);
  });
});
