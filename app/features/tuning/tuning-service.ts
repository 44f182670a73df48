/** The tuning of a method in a worker: what is called there, what it says meanwhile, and that side of it. */
import {
  caseOutcomeOf,
  evaluateAsSweep,
  fileReader,
  lookAt,
  runBatchHere,
  serveCalls,
  tuneMethod,
  type Backend,
  type HostPort,
  type OpenHdf5,
  type Point,
  type SeedOutcome,
  type TuningPlan,
  type TuningResult,
} from '../../../engine/index.ts';

/** A tuning, and the contents of the files that its scenario names. */
interface TuningOrder {
  readonly plan: TuningPlan;
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** As run folders keep them. */
  readonly versions: Readonly<Record<string, string>>;
}

// A type, not an interface: it has to be a record of functions.
export type TuningCommands = {
  readonly tune: (order: TuningOrder) => TuningResult;
};

export type TuningEvent =
  /** Points are about to be run. */
  | { readonly type: 'begin'; readonly points: readonly Point[] }
  /** One seed of a point is done. @see TuningPlan.seeds for the place */
  | { readonly type: 'case'; readonly values: Point; readonly seed: number; readonly outcome: SeedOutcome }
  /** The search is over, and the best is looked at once more. */
  | { readonly type: 'looking' };

/** What the experiments of a page may hold beside the run on screen, bytes. */
const MOST_BYTES = 2 ** 29;

/**
 * @param yieldToEventLoop lets messages out between the cycles of a run
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 */
export function serveTuning(
  port: HostPort<TuningCommands, TuningEvent>,
  open: () => Promise<Backend>,
  yieldToEventLoop: () => Promise<void>,
  openHdf5?: OpenHdf5,
): void {
  const tell = serveCalls<TuningCommands, TuningEvent>(port, {
    async tune({ plan, files, versions }) {
      const backend = await open();
      const origin = { backend: { name: backend.name, adapter: backend.adapter }, versions };
      const run = runBatchHere(backend, {
        files,
        openHdf5,
        yieldToEventLoop,
        limits: { bytes: MOST_BYTES },
        onCase(batch, index, result) {
          const values = batch.valuesAt(index) as number[];
          tell({ type: 'case', values, seed: index % plan.seeds.length, outcome: caseOutcomeOf(result, plan) });
        },
      });
      const evaluate = evaluateAsSweep(plan, { file: plan.name, readFile: fileReader(files), openHdf5 }, origin, run);
      try {
        return await tuneMethod(plan, {
          evaluate(points) {
            tell({ type: 'begin', points });
            return evaluate(points);
          },
          look(values) {
            tell({ type: 'looking' });
            return lookAt(backend, plan, values, { files, openHdf5, yieldToEventLoop });
          },
        });
      } finally {
        backend.dispose();
      }
    },
  });
}
