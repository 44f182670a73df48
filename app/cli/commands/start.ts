/** `npm start`: the first thing that a person sees. Runs the scenario `first-light` with all its methods. */
import type { Context, ExitCode } from '../context.ts';
import { shippedPath } from '../scenario-source.ts';
import { run } from './run.ts';
import type { RunOptions } from './run.ts';

const FIRST_SCENARIO = 'first-light';

export default async function start(
  context: Context,
  _given: readonly string[],
  options: RunOptions,
): Promise<ExitCode> {
  return run(context, await shippedPath(context.installation.root, FIRST_SCENARIO), options);
}
