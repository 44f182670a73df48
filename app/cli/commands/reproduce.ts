/** `shoal reproduce`: runs a bundle, or a run folder, again and compares the numbers. */
import { cyclesOf, judgeReproduction, wrongByARounding, type BackendChoice } from '../../../engine/index.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode } from '../context.ts';
import { runBundle, describeReproduction } from '../reproduce/execute.ts';
import { readSource } from '../run/folder.ts';
import { checkRequirements, describeRequirements, selectMethods } from '../run/options.ts';
import { decideBackend, openBackend } from '../select-backend.ts';
import { versionsOf } from '../installation.ts';

export interface ReproduceOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  readonly allowLong?: boolean;
}

/** @throws UsageError, ScenarioError, BackendError, LimitError */
export default async function reproduce(
  context: Context,
  [given]: readonly string[],
  { backend: asked, threads, allowLong = false, verbose = false }: ReproduceOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  const bundle = await readSource(given);
  const { record, parsed } = bundle;
  const { scenario } = parsed;
  for (const note of parsed.notes) terminal.note(`${given}: ${note}`);
  const backing = await decideBackend(asked === 'auto' ? record.backend.name : asked, context);
  if (backing.kind === 'done') return backing.exitCode as ExitCode;
  const { bundleFolder } = installation;
  // What it is says this one; a backend of the processor computes in a thread of its own.
  const backend = await openBackend(backing.name, { bundleFolder, threads: 1 });
  try {
    const methods = selectMethods(scenario, record.selected);
    checkRequirements(scenario, backend, methods, allowLong);
    terminal.note(describeRequirements(scenario, backend, methods));
    const place = { bundleFolder, threads };
    const { rows, start } = await runBundle(terminal, place, backend, bundle, given);
    if (!rows) return EXIT.interrupted;
    const { name, adapter } = backend;
    const here = { backend: { name, adapter }, versions: versionsOf(installation) };
    const found = await judgeReproduction(bundle, rows, here, async (draw) => {
      terminal.note(
        draw === 1
          ? 'other bits: the run is made again from states that are wrong by one rounding, which shows how far that grows'
          : `roundings change the means: run ${draw + 1}, which shows by how much`,
      );
      return (await runBundle(terminal, place, backend, bundle, given, wrongByARounding(start, draw))).rows;
    });
    if (!found) return EXIT.interrupted;
    for (const line of describeReproduction(
      found,
      { completed: record.completedCycles, of: cyclesOf(scenario) },
      verbose,
    ))
      terminal.print(line);
    terminal.printJson({
      source: given,
      scenario: scenario.name,
      seed: record.seed,
      backend: { name, adapter },
      ...found,
    });
    return found.reproduced ? EXIT.done : EXIT.failed;
  } finally {
    backend.dispose();
  }
}
