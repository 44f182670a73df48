import { describe, expect, it } from 'vitest';
import { createSharing } from '../../../../engine/compute/wasm/thread-pool.ts';

/** Runs tasks whose lengths for one thread are given, in milliseconds. @returns of each whether it was shared */
function shared(lengths: readonly number[]): boolean[] {
  let clock = 0;
  const sharing = createSharing(() => clock);
  return lengths.map((length) => {
    let together = false;
    sharing.run(
      () => {
        clock += length;
      },
      () => {
        together = true;
        clock += length / 2;
      },
    );
    return together;
  });
}

const RUNS = 40;

describe('which tasks are shared between threads', () => {
  it('keeps short ones to the thread that has them', () => {
    expect(shared(Array<number>(RUNS).fill(0.01))).not.toContain(true);
  });

  it('shares long ones from the second run on, without trying again', () => {
    expect(shared(Array<number>(RUNS).fill(5))).toEqual([false, ...Array<boolean>(RUNS - 1).fill(true)]);
  });

  it('finds out that one has become short, in ever fewer trials', () => {
    // As where its code was compiled better meanwhile: the trial of the fifth run finds it.
    const lengths = Array.from({ length: RUNS }, (_, run) => (run < 4 ? 0.2 : 0.01));
    expect(shared(lengths).lastIndexOf(true)).toBe(3);
    const middling = shared(Array<number>(RUNS).fill(0.2));
    expect(middling.flatMap((together, run) => (together ? [] : [run]))).toEqual([0, 1, 2, 4, 8, 16, 32]);
  });

  it('finds out that one has become long with its first long run', () => {
    const lengths = Array.from({ length: RUNS }, (_, run) => (run < 10 ? 0.01 : 2));
    expect(shared(lengths).indexOf(true)).toBe(11);
  });
});
