import { describe, expect, it } from 'vitest';
import { isDue, LARGEST_RETURN_BYTES } from '../../../engine/run/checkpoint-ring.ts';
import type { LastWritten, Moment, Schedule } from '../../../engine/run/checkpoint-ring.ts';

const START: LastWritten = { at: 0, cycle: 0, milliseconds: 0 };

function due(schedule: Schedule, moment: Partial<Moment>, last: Partial<LastWritten> = {}): boolean {
  const whole = { now: 100, cycle: 1, cycleMilliseconds: 1, memoryBytes: 1, checkpointBytes: 1, ...moment };
  return isDue(schedule, whole, { ...START, ...last }, 0);
}

it('writes every so many cycles', () => {
  const schedule = { kind: 'cycles', every: 5 } as const;
  expect([4, 5, 9].map((cycle) => due(schedule, { cycle }))).toEqual([false, true, true]);
  expect(due(schedule, { cycle: 9 }, { cycle: 5 })).toBe(false);
});

describe('to return to', () => {
  const schedule = { kind: 'return' } as const;

  it('writes every fourth cycle while that takes a twentieth of the time', () => {
    expect([3, 4].map((cycle) => due(schedule, { cycle }))).toEqual([false, true]);
    expect([99, 100, 101].map((now) => due(schedule, { now, cycle: 8 }, { milliseconds: 5 }))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('writes after ten seconds whatever it costs, of a large run after a minute', () => {
    const last = { milliseconds: 1e6 };
    expect([10_000, 10_001].map((now) => due(schedule, { now }, last))).toEqual([false, true]);
    const memoryBytes = 2 ** 29;
    expect([10_001, 60_001].map((now) => due(schedule, { now, memoryBytes }, last))).toEqual([false, true]);
  });

  it('never writes what nobody keeps', () => {
    const sizes = [LARGEST_RETURN_BYTES, LARGEST_RETURN_BYTES + 1];
    expect(sizes.map((checkpointBytes) => due(schedule, { now: 1e6, cycle: 99, checkpointBytes }))).toEqual([
      true,
      false,
    ]);
  });
});

describe('for safety', () => {
  const schedule = { kind: 'safety' } as const;

  it('writes after a second, then after as long as the run took, and at last every ten seconds', () => {
    expect([1000, 1001].map((now) => due(schedule, { now }))).toEqual([false, true]);
    expect([7000, 7001].map((now) => due(schedule, { now }, { at: 3500 }))).toEqual([false, true]);
    expect([50_000, 50_001].map((now) => due(schedule, { now }, { at: 40_000 }))).toEqual([false, true]);
  });

  it('writes after a long cycle', () => {
    expect([300, 301].map((cycleMilliseconds) => due(schedule, { cycleMilliseconds }))).toEqual([false, true]);
  });

  it('lets twenty times what writing took pass, but no more than five minutes', () => {
    const long = { cycleMilliseconds: 1000 };
    const last = { milliseconds: 100 };
    expect([2000, 2001].map((now) => due(schedule, { ...long, now }, last))).toEqual([false, true]);
    const busy = { milliseconds: 1e6 };
    expect([300_000, 300_001].map((now) => due(schedule, { ...long, now }, busy))).toEqual([false, true]);
  });
});
