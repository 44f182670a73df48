/** The demonstration plays one lesson after the other, for ever: once through all of them, in shorter time, with its frames counted. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';

const folder = new URL('../../../scenarios/', import.meta.url);
/** A million cells are for a GPU: the demonstration omits them. */
const TITLES = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json') && file !== 'large.json')
  .map((file) => (JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { title: string }).title);

declare global {
  /** Milliseconds between frames. */
  var frameIntervals: number[] | undefined;
}

/** In the page: waits of a second and more, in which people read, take a fortieth of their time. */
function hurry(): void {
  const wait = globalThis.setTimeout;
  const sooner = (handler: TimerHandler, milliseconds = 0, ...rest: unknown[]): number =>
    wait(handler, milliseconds >= 1000 ? milliseconds / 40 : milliseconds, ...rest);
  Object.assign(globalThis, { setTimeout: sooner });
}

/** In the page: notes when frames come. */
function countFrames(): void {
  const intervals: number[] = [];
  globalThis.frameIntervals = intervals;
  let last = performance.now();
  const note = (now: number): void => {
    intervals.push(now - last);
    last = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}

describe.runIf(hasHost)('the demonstration', () => {
  withBrowser();

  it(
    'plays all lessons and begins again, and the page keeps drawing',
    async () => {
      const laboratory = await openLaboratory({ view: 'demo', moves: true, before: [hurry, countFrames] });
      const { page } = laboratory;
      const seen: string[] = [];
      const note = async (): Promise<readonly string[]> => {
        const title = await laboratory.title();
        if (title !== '' && title !== seen.at(-1)) seen.push(title);
        return seen;
      };
      // Round once, and on to the second lesson.
      await expect
        .poll(async () => (await note()).length, { timeout: 10 * PATIENCE, interval: 100 })
        .toBeGreaterThan(TITLES.length + 1);
      expect(seen.slice(0, TITLES.length).toSorted()).toEqual(TITLES.toSorted());
      expect(seen.slice(TITLES.length)).toEqual(seen.slice(0, 2));
      expect(await page.locator('.notice-error').count()).toBe(0);
      const intervals = (await page.evaluate(() => globalThis.frameIntervals ?? [])).toSorted((a, b) => a - b);
      const median = intervals[Math.floor(intervals.length / 2)];
      process.stdout.write(`demonstration: ${intervals.length} frames, ${median.toFixed(0)} ms in the median\n`);
      // Half of the frames come within a tenth of a second, also where the processor draws and computes.
      expect(median).toBeLessThan(100);
    },
    11 * PATIENCE,
  );
});
