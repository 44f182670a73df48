/** What the last cycles of a method say of how it diverged: a few numbers a cycle, kept for as many cycles as a cause may be old. */
import type { CycleDiagnostics, ByVariable } from './events.ts';
import { physicsOf, type Intervention, type Scenario } from '../scenario/index.ts';
import { reachOf } from '../initial-states/index.ts';
import type { Model } from '../models/index.ts';

interface Implausible {
  readonly stage: 'forecast' | 'analysis';
  /** A clause: `its analysis has an RMSE of h of 1e+30 m`. */
  readonly found: string;
}

/**
 * Whether a state can still be one of this basin's, judged by the scores that are read anyway: right after an analysis, before
 * a forecast makes more of it. Kind: only what no useful run comes near is refused.
 */
export interface Plausibility {
  /** @param interventions up to the cycle: drops raise what there can be */
  judge(
    diagnostics: Pick<CycleDiagnostics, 'rmse' | 'spread'>,
    interventions?: readonly Intervention[],
  ): Implausible | undefined;
}

/** Errors and spreads of this many times the depth, or the depth times the speed of its waves, mean nothing any more. */
const MANY_DEPTHS = 10;

/** Depth of the water with what is raised on it at the start, m; infinite for a model without water. */
function scaleOf(scenario: Scenario, { bed, surface }: Model): number {
  if (surface === undefined) return Infinity;
  const deepest = bed ? bed.reduce((most, elevation) => Math.max(most, -elevation), 0) : 0;
  const raised = [scenario.truth.initial, scenario.background.initial].map((initial) => reachOf(initial).highest);
  const depth = deepest + Math.max(...raised);
  return depth > 0 ? depth : Infinity;
}

export function createPlausibility(scenario: Scenario, model: Model): Plausibility {
  const beginning = scaleOf(scenario, model);
  const { gravity } = physicsOf(scenario.model);

  /** The largest plausible value of each variable. */
  const mostAfter = (interventions: readonly Intervention[]): readonly number[] => {
    const dropped = interventions.reduce((sum, each) => sum + (each.kind === 'drop' ? Math.max(0, each.height) : 0), 0);
    const depth = beginning + dropped;
    const flux = Number.isFinite(depth) ? depth * Math.sqrt(gravity * depth) : Infinity;
    return model.variables.map((_, index) => MANY_DEPTHS * (index === 0 ? depth : flux));
  };
  const wrong = (what: string, values: ByVariable, most: readonly number[]): string | undefined => {
    for (const [index, { name, unit }] of model.variables.entries()) {
      const value = values[name];
      // A method with one member has no spread.
      if (value === undefined) continue;
      if (Number.isFinite(value) && value <= most[index]) continue;
      return `${what} of ${name} ${Number.isFinite(value) ? `of ${value.toPrecision(3)} ${unit}` : 'that is no number'}`;
    }
    return undefined;
  };

  return {
    judge({ rmse, spread }, interventions = []) {
      const most = mostAfter(interventions);
      for (const stage of ['forecast', 'analysis'] as const) {
        const found = wrong('an RMSE', rmse[stage], most) ?? wrong('a spread', spread[stage], most);
        if (found) return { stage, found: `its ${stage} has ${found}` };
      }
      return undefined;
    },
  };
}

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
