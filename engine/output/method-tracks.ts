/** How the errors and the spread of one method changed during a run, in memory that does not grow with it. */
import type { CycleDiagnostics } from '../experiment/index.ts';
import { createCycleSeries } from './cycle-series.ts';
import type { CycleSeries, CycleValues } from './cycle-series.ts';

/** One variable by cycles. */
export interface VariableTrack {
  /** RMSE before and after the analysis. */
  readonly forecastError: CycleValues;
  readonly error: CycleValues;
  /** After the analysis; 0 for a method with one member. */
  readonly spread: CycleValues;
}

export interface MethodTracks {
  /** By variable, observed or not. */
  readonly variables: ReadonlyMap<string, VariableTrack>;
  /** Mean of χ²/p over the cycles that have it; NaN without any. */
  readonly chiSquare: number;
}

/** The tracks of a run that grows. */
export interface GrowingTracks {
  readonly add: (row: CycleDiagnostics) => void;
  readonly tracks: () => MethodTracks;
}

type Growing = Readonly<Record<keyof VariableTrack, CycleSeries>>;

export function createTracks(): GrowingTracks {
  const variables = new Map<string, Growing>();
  let [sum, count] = [0, 0];

  const trackOf = (variable: string): Growing => {
    const known = variables.get(variable);
    if (known) return known;
    const track = { forecastError: createCycleSeries(), error: createCycleSeries(), spread: createCycleSeries() };
    variables.set(variable, track);
    return track;
  };

  return {
    add({ cycle, rmse, spread, innovation }) {
      for (const [variable, error] of Object.entries(rmse.analysis)) {
        const track = trackOf(variable);
        track.error.add(cycle, error);
        track.forecastError.add(cycle, rmse.forecast[variable] ?? error);
        track.spread.add(cycle, spread.analysis[variable] ?? 0);
      }
      const chiSquare = innovation?.chiSquare;
      if (chiSquare === undefined || !Number.isFinite(chiSquare)) return;
      sum += chiSquare;
      count += 1;
    },
    tracks: () => ({
      variables: new Map(
        [...variables].map(([name, { forecastError, error, spread }]) => [
          name,
          { forecastError: forecastError.kept, error: error.kept, spread: spread.kept },
        ]),
      ),
      chiSquare: sum / count,
    }),
  };
}
