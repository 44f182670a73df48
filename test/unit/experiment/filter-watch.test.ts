/** What is said of an inflation that adapts itself, and when. */
import { describe, expect, it } from 'vitest';
import { createInflationWatch } from '../../../engine/experiment/filter-watch.ts';
import { methodDefinition } from '../../../engine/methods/index.ts';
import type { Method } from '../../../engine/index.ts';
import { method } from '../../../engine/check/assimilation/set-up.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

interface Course {
  readonly inflation?: number;
  readonly spread: number;
  readonly squares?: number;
}

const adapted = method({ kind: 'letkf', localisation: { halfWidth: 4 }, adaptation: { kind: 'innovations' } });

function remedyOf(settings: Method): string {
  return methodDefinition(settings.kind).spreadSource?.(settings)?.remedy ?? '';
}

/** The warnings of a run whose error of h is 0.1. */
function warningsOf(courses: readonly Course[]): string[] {
  const watch = createInflationWatch(['h'], true, remedyOf(adapted));
  return courses.flatMap(({ inflation, spread, squares = 1 }, cycle) => {
    const innovation = {
      count: 3,
      rejected: 0,
      mean: 0,
      standardDeviation: 1,
      normalisedSquares: squares,
      chiSquare: undefined,
    };
    const row = {
      ...diagnosticsRow('letkf', cycle, { hu: 0, h: 0 }),
      rmse: { forecast: { h: 0.1 }, analysis: { h: 0.1 } },
      spread: { forecast: { h: spread }, analysis: { h: spread } },
      innovation,
      inflation,
    };
    return watch(row) ?? [];
  });
}

const cycles = (count: number, of: (cycle: number) => Course): Course[] =>
  Array.from({ length: count }, (_, i) => of(i));

describe('an inflation that adapts itself', () => {
  it('diverges where the spread doubles in ten cycles beyond the error', () => {
    const [first] = warningsOf(cycles(20, (cycle) => ({ inflation: 1.5, spread: 0.06 * 1.1 ** cycle })));
    expect(first).toMatch(
      /^letkf: at cycle 9 the adapted inflation \(1\.50, one factor for all cells\) diverges: the spread/,
    );
    expect(first).toMatch(/additive inflation/);
  });

  it('diverges where no sampling error is that large', () => {
    expect(warningsOf([{ inflation: 12, spread: 0.1 }])).toEqual([expect.stringMatching(/\(12\.0, .*diverges/)]);
  });

  it('names settings that the method has', () => {
    const finite = method({ kind: 'enkf-n', localisation: { halfWidth: 4 } });
    expect(remedyOf(adapted)).toMatch(/adaptation\.deviation/);
    expect(remedyOf(finite)).toMatch(/certainty/);
    const watch = createInflationWatch(['h'], false, remedyOf(finite));
    const row = { ...diagnosticsRow('enkf-n', 3, { hu: 0, h: 0 }), inflation: 12 };
    expect(watch(row)).toBe(
      'enkf-n: at cycle 3 the adapted inflation (12.0, the mean of the factors of all cells) diverges: ' +
        `no sampling error is that large. ${remedyOf(finite)}`,
    );
  });

  it('has collapsed where it is held at 1 and innovations are too large', () => {
    const found = warningsOf(cycles(10, () => ({ inflation: 1, spread: 0.05, squares: 3 })));
    expect(found).toEqual([expect.stringMatching(/at cycle 9 .*collapsed to its floor of 1/)]);
  });

  it('is well if it corrects, if it rests at 1, and if the method has none', () => {
    expect(warningsOf(cycles(20, () => ({ inflation: 1.4, spread: 0.1 })))).toEqual([]);
    expect(warningsOf(cycles(20, () => ({ inflation: 1, spread: 0.1 })))).toEqual([]);
    expect(warningsOf(cycles(20, (cycle) => ({ spread: 0.1 * 2 ** cycle })))).toEqual([]);
  });
});
