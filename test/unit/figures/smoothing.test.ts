import { describe, expect, it } from 'vitest';
import { methodStyles } from '../../../app/document/views/method-style.ts';
import { byLag, SMOOTHING } from '../../../app/figures/smoothing.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';
import { linesOf, reportedRun, shownRun } from './shown-run.ts';

/** A cycle whose states of before have these errors, by lag from 1 on. */
function smoothed(rmse: readonly number[]) {
  return { smoothed: { rmse: { h: rmse }, spread: { h: rmse } } };
}

describe('errors by lag', () => {
  const rows = [
    { ...diagnosticsRow('letkf', 0, { h: 9, hu: 1 }), ...smoothed([8]) },
    { ...diagnosticsRow('letkf', 1, { h: 4, hu: 1 }), ...smoothed([7, 9]) },
    { ...diagnosticsRow('letkf', 2, { h: 6, hu: 1 }), ...smoothed([3, 5]) },
    { ...diagnosticsRow('letkf', 3, { h: 6, hu: 1 }), ...smoothed([6, 2]) },
  ];

  it('are means over the states that have come to all of them, with the analysis at lag 0', () => {
    // Of the states of cycles 0 and 1.
    expect(byLag(rows, 'h', 'rmse')).toEqual([6.5, 5, 3.5]);
    expect(byLag(rows, 'hu', 'rmse')).toEqual([]);
  });

  it('are drawn of the methods that smooth, in window and report', () => {
    const run = shownRun({}, { letkf: smoothed([0.5, 0.25]) });
    const [line, ...others] = linesOf(SMOOTHING.inWindow?.(run));
    expect(others).toEqual([]);
    expect(line.key).toBe('letkf');
    expect(line.points).toEqual([1, 0.5, 0.25].map((y, x) => ({ x, y })));
    expect(
      SMOOTHING.inWindow?.(run)
        ?.table?.()
        .rows.map((row) => row.slice(1, 3)),
    ).toEqual([
      [0, 1],
      [1, 0.5],
      [2, 0.25],
    ]);
    expect(SMOOTHING.inReport?.(reportedRun(run)).map(({ title }) => title)).toEqual(['Error of h by lag']);
  });

  it('are no figure of a run without a smoother', () => {
    expect(SMOOTHING.inWindow?.(shownRun())).toBeUndefined();
    const [style] = methodStyles([{ label: 'enks', kind: 'enks', members: 4 }]);
    expect(SMOOTHING.inWindow?.(shownRun({ styles: [style] }))?.empty).toContain('appear here');
    expect(SMOOTHING.inReport?.(reportedRun(shownRun()))).toEqual([]);
  });
});
