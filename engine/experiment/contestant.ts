/** A method in the experiment: its forecast, its analysis, and what is measured of both. */
import type { Backend } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';
import type { Propagator } from '../models/index.ts';
import type { Scorekeeper } from './diagnostics.ts';
import type { CycleDiagnostics, ExperimentEvent } from './events.ts';

/** Below this share of the error the spread says that a filter trusts itself too much. */
const COLLAPSED_SPREAD = 0.2;

export interface Contestant {
  readonly method: Method;
  /** Runs one window and emits `forecast`. @throws DivergenceError */
  forecast(cycle: number): Promise<void>;
  /** Runs the analysis where the cycle has observations, and emits `analysis` and `diagnostics`. */
  analyse(cycle: number, hasObservations: boolean): Promise<void>;
}

export interface ContestantParts {
  readonly backend: Backend;
  readonly method: Method;
  /** Shared by the methods with as many members. */
  readonly propagator: Propagator;
  readonly scores: Scorekeeper;
  readonly windowSeconds: number;
  /** Cycles before the spread is judged. */
  readonly spinup: number;
  readonly listener: (event: ExperimentEvent) => void;
}

/**
 * Advances a state by a window.
 *
 * @returns milliseconds until it was done
 * @throws DivergenceError naming who, cycle, step and cell
 */
export async function forecastWindow(
  propagator: Propagator,
  state: Method['state'],
  windowSeconds: number,
  who: string,
  cycle: number,
): Promise<number> {
  const begin = performance.now();
  await propagator.advance(state, windowSeconds);
  const before = cycle === 0 ? 'no cycle before it was complete' : `the last good one is ${cycle - 1}`;
  await propagator.check(`${who}, cycle ${cycle} (${before})`);
  return performance.now() - begin;
}

/** @returns what to tell a user whose filter no longer believes observations, or undefined */
function collapseWarning({ method, cycle, rmse, spread }: CycleDiagnostics): string | undefined {
  const [variable] = Object.keys(rmse.analysis);
  if (spread.analysis[variable] > COLLAPSED_SPREAD * rmse.analysis[variable]) return undefined;
  const [found, error] = [spread, rmse].map(({ analysis }) => analysis[variable].toPrecision(2));
  return (
    `${method}: at cycle ${cycle} the spread of ${variable} (${found}) is below a fifth of its error (${error}); ` +
    'the filter ignores observations. Raise inflation or relaxation.'
  );
}

export function createContestant(parts: ContestantParts): Contestant {
  const { backend, method, propagator, scores, windowSeconds, spinup, listener } = parts;
  const { label, kind, members, state, departures } = method;
  const isFilter = members > 1 && kind !== 'free-run';
  let forecastMilliseconds = 0;
  let warned = false;

  return {
    method,
    async forecast(cycle) {
      forecastMilliseconds = await forecastWindow(propagator, state, windowSeconds, label, cycle);
      listener({ type: 'forecast', method: label, cycle, milliseconds: forecastMilliseconds });
    },
    async analyse(cycle, hasObservations) {
      if (hasObservations) departures.compute(state);
      scores.forecast(hasObservations);
      await backend.settle();
      const begin = performance.now();
      const report = hasObservations ? await method.analyse(cycle) : {};
      if (hasObservations && kind !== 'free-run') propagator.repair(state);
      await backend.settle();
      const milliseconds = performance.now() - begin;
      listener({ type: 'analysis', method: label, cycle, milliseconds });
      if (report.warning) listener({ type: 'warning', message: `${label}, cycle ${cycle}: ${report.warning}` });

      const diagnostics: CycleDiagnostics = {
        method: label,
        cycle,
        timeSeconds: (cycle + 1) * windowSeconds,
        ...(await scores.analysis(hasObservations)),
        minimisation: report.minimisation,
        milliseconds: { forecast: forecastMilliseconds, analysis: milliseconds },
      };
      listener({ type: 'diagnostics', diagnostics });
      if (!isFilter || warned || cycle < spinup) return;
      const message = collapseWarning(diagnostics);
      warned = message !== undefined;
      if (message) listener({ type: 'warning', message });
    },
  };
}
