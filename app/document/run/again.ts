/**
 * A cycle of the run on screen that has gone by, computed again to the same bits, so that it can be asked about: a run beside
 * it, from the nearest checkpoint before it. There is one at most.
 */
import type { BackendName, Checkpoint, RunEvent, Scenario } from '../../../engine/index.ts';
import type { OpenRun, PageRun } from './page-run.ts';

/** What a run beside the run needs of it. */
export interface RunToRepeat {
  /** With what was changed on its way. */
  readonly scenario: Scenario;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Where the run computes: elsewhere the bits would be others. */
  readonly backend: BackendName;
  /** The latest from which a cycle can be reached; undefined where that takes the start of the run. */
  readonly before: (cycle: number) => Checkpoint | undefined;
}

/** A cycle that was computed again, with the forecasts that its analyses began with. */
export interface PastCycle {
  readonly cycle: number;
  /** Rejects once another cycle was asked for. */
  readonly ask: PageRun['ask'];
  /** Ends the run beside it. */
  dispose(): void;
}

export interface Again {
  /**
   * @param cycle from 0
   * @returns what can be asked about the cycle. Rejects where the run cannot be computed again, and when another cycle is wanted
   *   meanwhile
   */
  at(cycle: number): Promise<PastCycle>;
  dispose(): void;
}

interface Beside {
  readonly cycle: number;
  readonly scenario: Scenario;
  readonly past: Promise<PastCycle>;
  readonly end: () => void;
}

/**
 * @param openRun opens runs that nobody follows
 * @param runNow the run on screen; undefined while there is none
 */
export function createAgain(openRun: OpenRun, runNow: () => RunToRepeat | undefined): Again {
  let beside: Beside | undefined;

  function begin({ scenario, files, backend, before }: RunToRepeat, cycle: number): Beside {
    const checkpoint = before(cycle);
    const ending = new AbortController();
    const ended = new Promise<never>((_, reject) => {
      ending.signal.addEventListener('abort', () => reject(ending.signal.reason as Error));
    });
    const job = { scenario, files, source: scenario.name, checkpoint, misfit: 'begin' } as const;
    const failing = {
      event(event: RunEvent) {
        if (event.type === 'failed') ending.abort(event.error);
      },
    };
    const again = openRun(backend, job, { observers: [failing] });
    const end = (): void => {
      again.dispose();
      ending.abort(new Error(`cycle ${cycle} is not asked about any more`));
      if (beside?.end === end) beside = undefined;
    };
    const compute = async (): Promise<PastCycle> => {
      await again.play(cycle);
      again.observe({ forecasts: true, event: () => undefined });
      await again.play(cycle + 1);
      return { cycle, ask: (question) => again.ask(question), dispose: end };
    };
    const past = Promise.race([compute(), ended]);
    past.catch(end);
    return { cycle, scenario, past, end };
  }

  return {
    at(cycle) {
      const run = runNow();
      if (!run) return Promise.reject(new Error('there is no run to ask about'));
      if (beside && beside.cycle === cycle && beside.scenario === run.scenario) return beside.past;
      beside?.end();
      beside = begin(run, cycle);
      return beside.past;
    },
    dispose: () => beside?.end(),
  };
}
