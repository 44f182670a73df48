/** `shoal apply`: operators on the arrays of case folders, compared with what the cases expect. */
import { basename, isAbsolute, join, resolve } from 'node:path';
import { CaseError, DeviceLostError, formatCsvArray, formatNpy, runCase, shown } from '../../../engine/index.ts';
import type { Backend, BackendChoice, CaseResult } from '../../../engine/index.ts';
import { disk } from '../../files/disk.ts';
import { EXIT, UsageError, describeFailure } from '../context.ts';
import type { CommonOptions, Context, ExitCode, Terminal } from '../context.ts';
import { createNodeStorage } from '../node-storage.ts';
import { createBar } from '../run/progress.ts';
import { readRegularFile } from '../../files/regular-file.ts';
import { openBackend } from '../open-backend.ts';
import { decideBackend } from '../select-backend.ts';

/** What a case's description, and one of its arrays, may have: an array becomes one field of a backend, of 2 GiB at most. */
const LARGEST_CASE_BYTES = 2 ** 22;
const LARGEST_ARRAY_BYTES = 2 ** 31 + 2 ** 17;

const MOMENT_MILLISECONDS = 300;

export interface ApplyOptions extends CommonOptions {
  readonly backend: BackendChoice;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads?: number;
  readonly out?: string;
  /** How outputs are written. */
  readonly format: 'npy' | 'csv';
}

/** What is printed of one case. */
interface Verdict {
  readonly case: string;
  readonly exitCode: ExitCode;
  readonly operator?: string;
  readonly errors?: Readonly<Record<string, number | null>>;
  readonly tolerance?: number;
  readonly passed?: boolean;
  /** The first number of an output that is not finite. */
  readonly notFinite?: string;
  readonly milliseconds?: number;
  readonly written?: readonly string[];
  readonly problem?: string;
}

/** A case's name is its folder's. */
function nameOf(folder: string): string {
  return basename(resolve(folder));
}

/** @throws UsageError when two cases would write to the same files */
function assertDistinct(folders: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const folder of folders) {
    const other = seen.get(nameOf(folder));
    if (other !== undefined) {
      throw new UsageError(
        `${other} and ${folder} have the same name and would overwrite each other in --out; apply them apart`,
      );
    }
    seen.set(nameOf(folder), folder);
  }
}

function caseReader(folder: string): (name: string) => Promise<Uint8Array | undefined> {
  return async (name) => {
    const leaves = isAbsolute(name) || name.split(/[/\\]/).includes('..') || /\p{Cc}/u.test(name);
    if (leaves)
      throw new CaseError(`${shown(folder)}/case.json: ${shown(name)} is not the name of a file in the case's folder`);
    try {
      return await readRegularFile(
        join(folder, name),
        name.endsWith('.json') ? LARGEST_CASE_BYTES : LARGEST_ARRAY_BYTES,
      );
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
}

/** Where outputs go, and how. */
interface Written extends Pick<ApplyOptions, 'format'> {
  readonly out: string;
}

async function writeOutputs({ out, format }: Written, folder: string, { outputs }: CaseResult): Promise<string[]> {
  const target = resolve(out, nameOf(folder));
  await disk.makeFolder(target);
  const storage = createNodeStorage(target);
  const names = Object.entries(outputs);
  const content = format === 'csv' ? formatCsvArray : formatNpy;
  for (const [name, { shape, data }] of names) await storage.writeWhole(`${name}.${format}`, content(shape, data));
  return names.map(([name]) => join(out, nameOf(folder), `${name}.${format}`));
}

/** A bar for a case that takes longer than a moment, drawn on a terminal alone. */
function caseProgress(terminal: Terminal, name: string) {
  const begin = performance.now();
  const bar = createBar(terminal, '{bar} {percentage} % | {name} | ETA {eta_formatted}');
  return {
    tell: (share: number): void => {
      if (performance.now() - begin < MOMENT_MILLISECONDS) return;
      if (!bar.isActive) bar.start(1000, 0, { name: shown(name) });
      bar.update(Math.round(1000 * share));
    },
    end: () => bar.stop(),
  };
}

async function applyOne(
  terminal: Terminal,
  backend: Backend,
  folder: string,
  target: Written | undefined,
): Promise<Verdict> {
  const progress = caseProgress(terminal, nameOf(folder));
  try {
    const begin = performance.now();
    const result = await runCase(backend, folder, caseReader(folder), progress.tell).finally(progress.end);
    const milliseconds = performance.now() - begin;
    const written = target === undefined ? [] : await writeOutputs(target, folder, result);
    const { operator, errors, tolerance, passed, notFinite } = result;
    return {
      case: folder,
      exitCode: passed === false ? EXIT.failed : EXIT.done,
      operator,
      // JSON has no NaN: null is an error that is not a number.
      errors: Object.fromEntries(
        Object.entries(errors).map(([name, value]) => [name, Number.isNaN(value) ? null : value]),
      ),
      ...(tolerance !== undefined && { tolerance }),
      ...(passed !== undefined && { passed }),
      ...(notFinite !== undefined && { notFinite }),
      milliseconds,
      written,
    };
  } catch (error) {
    // A case that is no case, or goes wrong, is reported; the ones after it still get their turn.
    if (error instanceof DeviceLostError) throw error;
    const { lines, exitCode } = describeFailure(error);
    return { case: folder, exitCode, problem: lines.join('; ') };
  }
}

/** `0.1.0e-12 ≤ 1e-11` for each array, and the verdict. */
function describe({
  case: folder,
  operator,
  errors = {},
  tolerance,
  passed,
  notFinite,
  milliseconds = 0,
}: Verdict): string {
  const judgement = passed === undefined ? 'ran' : passed ? 'pass' : 'FAIL';
  const compared = Object.entries(errors).map(
    ([name, error]) => `${name} ${error === null ? 'NaN' : error.toExponential(2)}`,
  );
  const bound = tolerance === undefined || compared.length === 0 ? '' : ` (allowed ${tolerance})`;
  const against = compared.length === 0 ? 'no expected arrays' : `error ${compared.join(', ')}${bound}`;
  const told = notFinite === undefined ? against : `${notFinite}; ${against}`;
  return `${judgement}  ${folder}  ${operator ?? ''}  ${told}  ${milliseconds.toFixed(1)} ms`;
}

export default async function apply(
  context: Context,
  folders: readonly string[],
  options: ApplyOptions,
): Promise<ExitCode> {
  const { terminal } = context;
  const { out, format } = options;
  if (out !== undefined) assertDistinct(folders);
  const target = out === undefined ? undefined : { out, format };
  const backing = await decideBackend(options.backend, context);
  if (backing.kind === 'done') return backing.exitCode;
  const { bundleFolder } = context.installation;
  const backend = await openBackend(backing.name, { bundleFolder, threads: options.threads });
  try {
    const verdicts: Verdict[] = [];
    for (const folder of folders) {
      const verdict = await applyOne(terminal, backend, folder, target);
      verdicts.push(verdict);
      if (verdict.problem === undefined) terminal.print(describe(verdict));
      else terminal.warn(`shoal: ${verdict.problem}`);
    }
    terminal.printJson({
      backend: { name: backend.name, adapter: backend.adapter, precision: backend.precision },
      cases: verdicts.map(({ exitCode: _exitCode, ...verdict }) => verdict),
    });
    const worst = Math.max(EXIT.done, ...verdicts.map(({ exitCode }) => exitCode));
    return worst as ExitCode;
  } finally {
    backend.dispose();
  }
}
