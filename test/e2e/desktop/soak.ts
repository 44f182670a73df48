/**
 * One long run of a small basin, played for half an hour as fast as the page plays: memory must not grow with its cycles:
 * tens of thousands. `npm run soak`; SHOAL_SOAK_MINUTES shortens it.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { EXECUTABLE } from './chromium.ts';
import { openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

const MINUTES = Number(process.env['SHOAL_SOAK_MINUTES'] ?? 30);
const SAMPLES = 30;
/** Cycles a second that the page plays at most, and the share of them that a busy machine reaches at least. */
const SPEED = 16;
const LEAST_SHARE = 0.25;
/**
 * Memory is compared between the second and the last third; in the first the rows and cycles that are kept at hand become as many as
 * they may. What is left is a collector's slack.
 */
const ALLOWED_GROWTH = 1.1;
const MEBIBYTE = 2 ** 20;

interface Sample {
  /** Bytes that the page's own heap holds after a collection. */
  readonly heap: number;
  /** Bytes resident in all of the browser's processes: workers, GPU and page. */
  readonly resident: number;
}

/** Resident bytes of every process of this checkout's browser. */
function residentBytes(): number {
  let pages = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (!readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(EXECUTABLE)) continue;
      pages += Number(readFileSync(`/proc/${name}/statm`, 'utf8').split(' ')[1]);
    } catch {
      // The process ended between the listing and the look.
    }
  }
  return pages * 4096;
}

async function sample(session: CDPSession): Promise<Sample> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { heap: usedSize, resident: residentBytes() };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

function growth(samples: readonly Sample[], of: keyof Sample): number {
  const third = Math.floor(samples.length / 3);
  const values = samples.map((taken) => taken[of]);
  return median(values.slice(2 * third)) / median(values.slice(third, 2 * third));
}

/** Three methods on 16 × 16 cells, for longer than it is played. */
function longScenario(): Record<string, unknown> {
  const cycles = 2 * MINUTES * 60 * SPEED;
  return { ...smallScenario('soak', cycles), grid: { nx: 16, ny: 16, dx: 1, dy: 1 } };
}

describe('half an hour of play', () => {
  withBrowser();

  it('holds its memory', async () => {
    const laboratory = await openLaboratory({ scenario: longScenario() });
    await laboratory.page.getByLabel('Speed, cycles a second').selectOption(String(SPEED));
    await laboratory.reach(1);
    const session = await laboratory.page.context().newCDPSession(laboratory.page);
    const samples: Sample[] = [];
    let cycle = 0;
    for (let taken = 0; taken < SAMPLES; taken++) {
      await wait((MINUTES * 60_000) / SAMPLES);
      const now = await sample(session);
      samples.push(now);
      cycle = await laboratory.cycle();
      const [heap, resident] = [now.heap, now.resident].map((bytes) => (bytes / MEBIBYTE).toFixed(1));
      const minutes = (((taken + 1) * MINUTES) / SAMPLES).toFixed(1);
      process.stderr.write(`${minutes} min, cycle ${cycle}: heap ${heap} MiB, resident ${resident} MiB\n`);
    }
    expect(cycle, 'cycles that were played').toBeGreaterThan(LEAST_SHARE * SPEED * MINUTES * 60);
    expect(growth(samples, 'heap')).toBeLessThan(ALLOWED_GROWTH);
    expect(growth(samples, 'resident')).toBeLessThan(ALLOWED_GROWTH);
  });
});
