/** The worker's side: tunes a method on a backend of its own, and tells of each case as it is done. */
import {
  caseOutcomeOf,
  evaluateAsSweep,
  fileReader,
  lookAt,
  runBatchHere,
  serveCalls,
  tuneMethod,
} from '../../../engine/index.ts';
import type { Backend, OpenHdf5 } from '../../../engine/index.ts';
import type { TuningCommands, TuningEvent, TuningHostPort } from './tuning-calls.ts';

/** What the experiments of a page may hold beside the run on screen, bytes. */
const MOST_BYTES = 2 ** 29;

/**
 * @param breathe lets messages out between the cycles of a run
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 */
export function serveTuning(
  port: TuningHostPort,
  open: () => Promise<Backend>,
  breathe: () => Promise<void>,
  openHdf5?: OpenHdf5,
): void {
  const tell = serveCalls<TuningCommands, TuningEvent>(port, {
    async tune({ plan, files, versions }) {
      const backend = await open();
      const origin = { backend: { name: backend.name, adapter: backend.adapter }, versions };
      const run = runBatchHere(backend, {
        files,
        openHdf5,
        breathe,
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
            return lookAt(backend, plan, values, { files, openHdf5, breathe });
          },
        });
      } finally {
        backend.dispose();
      }
    },
  });
}
