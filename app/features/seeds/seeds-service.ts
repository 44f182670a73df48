/** A scenario with several seeds in a worker: what is called there, what it reports meanwhile, and that side of it. */
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
import type { Backend, HostPort, KeptCase, OpenHdf5, SweepPlan, SweepResults } from '../../../engine/index.ts';

/** A scenario, the seeds, and the contents of the files that the scenario names. */
interface SeedsOrder {
  /** As its file has it. */
  readonly raw: unknown;
  readonly seeds: readonly number[];
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** As run folders keep them. */
  readonly versions: Readonly<Record<string, string>>;
}

// A type, not an interface: it has to be a record of functions.
export type SeedsCommands = {
  /** Opens the backend. The result has every case, and each of them waits. */
  readonly plan: (order: SeedsOrder) => SweepResults;
  /** Runs a case by its number. The worker stays warm for the next one. */
  readonly run: (index: number) => KeptCase;
};

/** How much of the case in progress is done, 0 to 1. */
export interface SeedsEvent {
  readonly type: 'share';
  readonly index: number;
  readonly share: number;
}

/**
 * @param yieldToEventLoop lets messages out between the cycles of a run
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; without it they are refused
 */
export function serveSeeds(
  port: HostPort<SeedsCommands, SeedsEvent>,
  open: () => Promise<Backend>,
  yieldToEventLoop: () => Promise<void>,
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
        yieldToEventLoop,
        listener(event) {
          if (event.type === 'cycle') report({ type: 'share', index, share: (event.cycle + 1) / event.cycles });
        },
      });
      return keepCase(plan, outcome);
    },
  });
}
