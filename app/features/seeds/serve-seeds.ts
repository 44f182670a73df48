/** The worker's side of a run over seeds: plans the sweep of one point, and runs its cases on a backend of its own. */
import {
  assembleResults,
  fileReader,
  keepCase,
  planSweep,
  runCases,
  serveCalls,
  sweepOverSeeds,
  validateScenario,
} from '../../../engine/index.ts';
import type { Backend, OpenHdf5, SweepPlan } from '../../../engine/index.ts';
import type { SeedsCommands, SeedsEvent, SeedsHostPort, SeedsOrder } from './seeds-calls.ts';

/**
 * @param breathe lets messages out between the cycles of a run
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; without it they are refused
 */
export function serveSeeds(
  port: SeedsHostPort,
  open: () => Promise<Backend>,
  breathe: () => Promise<void>,
  openHdf5?: OpenHdf5,
): void {
  let work: { readonly backend: Backend; readonly plan: SweepPlan; readonly files: SeedsOrder['files'] } | undefined;
  const report = serveCalls<SeedsCommands, SeedsEvent>(port, {
    async plan({ raw, seeds, files, versions }) {
      const backend = await open();
      const { scenario } = validateScenario(raw, 'scenario');
      const base = { raw, file: scenario.name, readFile: fileReader(files), openHdf5 };
      const origin = { backend: { name: backend.name, adapter: backend.adapter }, versions };
      const plan = await planSweep(sweepOverSeeds(scenario, seeds), base, origin);
      work = { backend, plan, files };
      return assembleResults(plan, () => undefined);
    },
    async run(index) {
      if (!work) throw new Error('a case is run before the sweep is planned');
      const { backend, plan, files } = work;
      const [outcome] = await runCases(backend, [plan.caseAt(index)], {
        files,
        openHdf5,
        breathe,
        listener(event) {
          if (event.type === 'cycle') report({ type: 'share', index, share: (event.cycle + 1) / event.cycles });
        },
      });
      return keepCase(plan, outcome);
    },
  });
}
