/** `shoal check`: whether this installation computes what it should on this machine, with the evidence. */
import { checkDocument, type BackendChoice, type CheckDocument } from '../../../engine/index.ts';
import { checkPage, headlineOf, VERDICTS } from '../../check/page.ts';
import { assertWritable, writeText } from '../bench/target.ts';
import { executeCheck, describeResult, formatCheck } from '../check/execute.ts';
import { EXIT, type CommonOptions, type Context, type ExitCode } from '../context.ts';
import { UsageError } from '../failure.ts';
import { thisMachine, versionsOf } from '../installation.ts';
import { decideBackend } from '../select-backend.ts';

export interface CheckOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  /** Where the page is written. */
  readonly out?: string;
}

/** The machine in its own words. */
function machineWords(): Record<string, string> {
  const { system, processor, cores, memoryBytes } = thisMachine();
  return { system, processor, cores: String(cores), memory: `${(memoryBytes / 2 ** 30).toFixed(1)} GiB` };
}

function verdictOf(document: CheckDocument): string {
  const { passed, results, backend } = document;
  const verdict = passed ? 'passed' : results.some((each) => each.verdict === 'failed') ? 'failed' : 'not-applicable';
  return `${VERDICTS[verdict].sign} ${headlineOf(document)} (${backend.adapter}).`;
}

/** @throws UsageError, BackendError, WriteError */
export default async function check(
  context: Context,
  _given: readonly string[],
  { backend: asked, threads, out, verbose = false }: CheckOptions,
): Promise<ExitCode> {
  const { terminal, installation } = context;
  if (out === '') throw new UsageError('--out: the file’s name is empty');
  if (out !== undefined) await assertWritable(out, '--out');
  const backing = await decideBackend(asked, context);
  if (backing.kind === 'done') return backing.exitCode as ExitCode;
  const date = new Date().toISOString();
  const { bundleFolder } = installation;
  const { backend, cases, results, stopped } = await executeCheck(terminal, backing.name, { bundleFolder, threads });
  if (!backend) return EXIT.interrupted;
  const provenance = { date, versions: versionsOf(installation), machine: machineWords(), backend, cases };
  const document = checkDocument(provenance, results);
  if (results.length > 0) terminal.print(formatCheck(results));
  for (const result of results) {
    if (verbose || result.verdict === 'failed') for (const line of describeResult(result)) terminal.print(line);
  }
  terminal.print(verdictOf(document));
  if (out !== undefined && !stopped) {
    await writeText(out, checkPage(document));
    terminal.print(`page: ${out}`);
  } else if (!verbose) {
    terminal.print('Every number, its bar and where that comes from: --verbose, --json, or --out check.html');
  }
  terminal.printJson(document);
  if (stopped) return EXIT.interrupted;
  return document.passed ? EXIT.done : EXIT.failed;
}
