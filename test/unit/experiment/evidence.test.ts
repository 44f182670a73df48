/** What is kept of a method's last cycles. */
import { describe, expect, it } from 'vitest';
import { createEvidence } from '../../../engine/experiment/divergence-cause.ts';
import type { CycleDiagnostics } from '../../../engine/index.ts';
import { diagnosticsRow } from '../../setup/diagnostics-row.ts';

function cycleOf(cycle: number, changes: Partial<CycleDiagnostics> = {}): CycleDiagnostics {
  return {
    ...diagnosticsRow('letkf', cycle, { h: 0, hu: 0 }),
    rmse: { forecast: { h: 0.4, hu: 9 }, analysis: { h: 0.2, hu: 9 } },
    spread: { forecast: { h: 0.3, hu: 9 }, analysis: { h: 0.1, hu: 9 } },
    ...changes,
  };
}

describe('evidence', () => {
  it('is of the first variable', () => {
    const evidence = createEvidence();
    evidence.add(cycleOf(7));
    expect(evidence.rows).toEqual([
      {
        cycle: 7,
        forecastSpread: 0.3,
        analysisSpread: 0.1,
        forecastError: 0.4,
        analysisError: 0.2,
        normalisedSquares: Number.NaN,
      },
    ]);
  });

  it('has the innovations of a cycle that observes', () => {
    const evidence = createEvidence();
    const innovation = {
      count: 3,
      rejected: 0,
      mean: 0,
      standardDeviation: 1,
      normalisedSquares: 1.5,
      chiSquare: undefined,
    };
    evidence.add(cycleOf(0, { innovation }));
    expect(evidence.rows[0].normalisedSquares).toBe(1.5);
  });

  it('is of the last fifty cycles', () => {
    const evidence = createEvidence();
    for (let cycle = 0; cycle < 60; cycle++) evidence.add(cycleOf(cycle));
    expect(evidence.rows.map(({ cycle }) => cycle)).toEqual(Array.from({ length: 50 }, (_, i) => i + 10));
  });

  it('comes back from its numbers', () => {
    const evidence = createEvidence();
    for (const cycle of [4, 5]) evidence.add(cycleOf(cycle));
    const restored = createEvidence();
    restored.restore(evidence.state());
    expect(restored.rows).toEqual(evidence.rows);
  });

  it('is none of a checkpoint that has none', () => {
    const evidence = createEvidence();
    evidence.add(cycleOf(1));
    evidence.restore(new Float64Array(0));
    expect(evidence.rows).toEqual([]);
  });
});
