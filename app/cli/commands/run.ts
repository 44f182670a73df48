/**
 * `shoal run`: one twin experiment with all its methods, one table, one run folder; or one for each branch of the scenario. The thread
 * that computes is started first: what reads the scenario is loaded beside it.
 */
import { UsageError, type Context, type ExitCode } from '../context.ts';
import { startEarly } from '../run/early-thread.ts';
import type { RunOptions } from '../run/options.ts';
import { beginSelection } from '../select-backend.ts';

/** @throws ScenarioError, UsageError, BackendError, LimitError, WriteError */
export async function run(context: Context, given: string, options: RunOptions): Promise<ExitCode> {
  if (options.seeds) {
    const { runOverSeeds } = await import('../run/over-seeds.ts');
    return runOverSeeds(context, given, { ...options, seeds: options.seeds });
  }
  if (options.workers !== undefined) throw new UsageError('--workers belongs to --seeds, which was not given');
  const selecting = options.resume ? undefined : beginSelection(options.backend, context);
  const place = { bundleFolder: context.installation.bundleFolder, threads: options.threads };
  const early = selecting && startEarly(selecting, place);
  try {
    const { runHere } = await import('../run/run-lines.ts');
    return await runHere(context, given, options, { selecting, early });
  } finally {
    early?.close();
  }
}

/** To ask for impacts is to set them in the scenario, which a run that continues then has. */
function withImpact({ impact, set = [], ...options }: RunOptions): RunOptions {
  return { ...options, set: impact === undefined ? set : [...set, `experiment.impact.lead=${impact}`] };
}

export default (context: Context, [given]: readonly string[], options: RunOptions): Promise<ExitCode> =>
  run(context, given, withImpact(options));
