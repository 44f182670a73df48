/** What the last cycles of a method say of how it diverged: a few numbers a cycle, kept for as many cycles as a cause may be old. */
import type { CycleDiagnostics } from './events.ts';

/** Evidence of the first variable, in its unit; spread is 0 for a method with one member. */
export interface EvidenceRow {
  readonly cycle: number;
  readonly forecastSpread: number;
  readonly analysisSpread: number;
  readonly forecastError: number;
  readonly analysisError: number;
  /** Mean of the innovations' squares over their expected variance; NaN in a cycle without observations. */
  readonly normalisedSquares: number;
}

export interface Evidence {
  readonly rows: readonly EvidenceRow[];
  add(diagnostics: CycleDiagnostics): void;
  /** All of it as numbers, for a checkpoint, and its return. */
  state(): Float64Array;
  restore(state: Float64Array): void;
}

/** Cycles that are kept. */
const MOST_ROWS = 50;
/** Numbers of a row. */
const ROW = 6;

export function createEvidence(): Evidence {
  let rows: EvidenceRow[] = [];
  return {
    get rows() {
      return rows;
    },
    add({ cycle, rmse, spread, innovation }) {
      const [variable] = Object.keys(rmse.analysis);
      const row = {
        cycle,
        forecastSpread: spread.forecast[variable] ?? 0,
        analysisSpread: spread.analysis[variable] ?? 0,
        forecastError: rmse.forecast[variable],
        analysisError: rmse.analysis[variable],
        normalisedSquares: innovation?.normalisedSquares ?? Number.NaN,
      };
      rows = [...rows, row].slice(-MOST_ROWS);
    },
    state: () =>
      Float64Array.from(
        rows.flatMap((row) => [
          row.cycle,
          row.forecastSpread,
          row.analysisSpread,
          row.forecastError,
          row.analysisError,
          row.normalisedSquares,
        ]),
      ),
    restore(state) {
      rows = Array.from({ length: Math.floor(state.length / ROW) }, (_, index) => {
        const [cycle, forecastSpread, analysisSpread, forecastError, analysisError, normalisedSquares] = state.subarray(
          index * ROW,
          (index + 1) * ROW,
        );
        return { cycle, forecastSpread, analysisSpread, forecastError, analysisError, normalisedSquares };
      });
    },
  };
}
