/** The tuning of a device that is used for the first time, and what `shoal bench --tune` has found: as a document, and as a table. */
import { formatTable } from '../table.ts';
import { digits } from '../bench/report.ts';
import { tuningTasks, mergeTuning, occupy, readTuningRecord, tune, untunedTasks } from '../../../engine/index.ts';
import type {
  BackendName,
  TuningFinding,
  TuningFindings,
  Backend,
  TuningOptions,
  TuningRecord,
  TuningTask,
} from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode, type Terminal, describeFailure } from '../context.ts';
import { writeDocument, type JsonTarget } from '../targets.ts';
import { thisMachine, versionsOf, type Machine } from '../installation.ts';
import { openBackend, type BackendPlace, createTuningFiles, type TuningFiles } from '../open-backend.ts';

/** Tuning takes a second: work of this length gives it back where kernels gain a few per cent by it. */
export const WORTH_TUNING_SECONDS = 60;

/** A GPU that was idle is slow at first, and another at every moment. */
const WAKING_MILLISECONDS = 200;

/** Tunes a backend that has nothing else to do. @throws BackendError where it has nothing to tune */
async function tuneAwake(
  backend: Backend,
  tasks: readonly TuningTask[],
  options?: TuningOptions,
): Promise<TuningFindings> {
  if (backend.name === 'webgpu') await occupy(backend, WAKING_MILLISECONDS);
  return tune(backend, tasks, options);
}

/** Keeps a record for the next time. What cannot be kept is said, and is found again then. */
async function keepTuning(files: TuningFiles, record: TuningRecord, terminal: Terminal): Promise<void> {
  try {
    terminal.note(`kept: ${await files.keep(record)}`);
  } catch (error) {
    terminal.note(`the choices are not kept: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes what of the tasks is not known yet on a backend that has nothing else to do, unless its device is simulated. The choices
 * hold for it from now on, and are kept. What fails is said, and the defaults stay.
 */
export async function tuneOnFirstUse(
  backend: Backend,
  tasks: readonly TuningTask[],
  terminal: Terminal,
  files: TuningFiles = createTuningFiles(),
): Promise<void> {
  const { tuning } = backend;
  if (!tuning || tuning.isSoftware) return;
  const known = readTuningRecord(await files.find(tuning.device), tuning.device);
  const missing = untunedTasks(known, tasks);
  if (missing.length === 0) return;
  try {
    const { record, milliseconds } = await tuneAwake(backend, missing);
    const seconds = (milliseconds / 1000).toFixed(1);
    terminal.note(`${tuning.device}: kernels tuned, once, in ${seconds} s; shoal bench --tune does it again`);
    await keepTuning(files, mergeTuning(known, record), terminal);
  } catch (error) {
    terminal.note(`the kernels could not be tuned, the defaults are taken: ${describeFailure(error).lines.join('; ')}`);
  }
}

/**
 * Tunes what a run will compute on, where it is used for the first time: the backend itself, or for one whose run has another of
 * its kind in a thread, one like that.
 */
export async function tuneForRun(backend: Backend, place: BackendPlace, terminal: Terminal): Promise<void> {
  const tasks = tuningTasks(backend.name, 'runs');
  if (backend.name === 'webgpu') {
    await tuneOnFirstUse(backend, tasks, terminal);
    return;
  }
  const like = await openBackend(backend.name, place);
  try {
    await tuneOnFirstUse(like, tasks, terminal);
  } finally {
    like.dispose();
  }
}

/** The tuning of one backend. */
interface BackendTuned {
  readonly backend: BackendName;
  readonly findings: TuningFindings;
}

export interface TuningDocument {
  readonly machine: Machine & { readonly versions: Readonly<Record<string, string>> };
  readonly devices: readonly (TuningFindings['record'] & {
    readonly backend: BackendName;
    /** Milliseconds of the whole tuning. */
    readonly milliseconds: number;
    readonly kernels: readonly TuningFinding[];
  })[];
}

export function tuningDocument(machine: TuningDocument['machine'], tuned: readonly BackendTuned[]): TuningDocument {
  return {
    machine,
    devices: tuned.map(({ backend, findings: { record, kernels, milliseconds } }) => ({
      ...record,
      backend,
      milliseconds,
      kernels,
    })),
  };
}

function timeOf({ candidates }: TuningFinding, variant: string): number | null {
  return candidates.find((candidate) => candidate.variant === variant)?.milliseconds ?? null;
}

/** @returns how many times quicker the chosen variant is than the default; null where either was not measured */
export function gainOf(finding: TuningFinding): number | null {
  const [standard, chosen] = [timeOf(finding, finding.candidates[0].variant), timeOf(finding, finding.chosen)];
  return standard === null || chosen === null || chosen === 0 ? null : standard / chosen;
}

/** One line a candidate; the chosen one is marked, and the default is the first. */
function rowsOf(finding: TuningFinding): string[][] {
  const gain = gainOf(finding);
  return finding.candidates.map(({ variant, milliseconds, problem }, index) => {
    const isChosen = variant === finding.chosen;
    return [
      index === 0 ? `  ${finding.kernel}` : '',
      index === 0 ? finding.size : '',
      variant,
      milliseconds === null ? (problem === undefined ? 'no time left' : 'refused') : digits(milliseconds),
      isChosen ? (finding.isSettled ? 'chosen' : 'kept, for want of time') : '',
      isChosen && gain !== null ? `${gain.toFixed(2)} ×` : '',
    ];
  });
}

/** @returns the report of one backend, one string a line or table */
export function formatTuning({ backend, findings: { record, kernels, milliseconds } }: BackendTuned): string[] {
  const head = ['kernel', 'size', 'candidate', 'best, ms', '', 'over default'];
  const problems = kernels.flatMap(({ kernel, candidates }) =>
    candidates.flatMap(({ variant, problem }) =>
      problem === undefined ? [] : [`  ${kernel}, ${variant}: ${problem}`],
    ),
  );
  return [
    `${backend} (${record.device}): kernels ${record.version}, tuned in ${(milliseconds / 1000).toFixed(1)} s`,
    formatTable(head, kernels.flatMap(rowsOf), { align: 'lllrlr', compact: true }),
    ...(problems.length > 0 ? ['refused by the device:', ...problems] : []),
  ];
}

/** Budget of a backend: every candidate is shown, and a driver may take a while to compile one. */
const BUDGET_MILLISECONDS = 3000;

/** @throws BackendError, DeviceLostError, WriteError of the document */
export async function tuneBackends(
  { terminal, installation }: Context,
  names: readonly BackendName[],
  place: BackendPlace,
  target: JsonTarget,
): Promise<ExitCode> {
  const files = createTuningFiles();
  const tuned: BackendTuned[] = [];
  for (const name of names) {
    const backend = await openBackend(name, place);
    try {
      if (!backend.tuning) {
        terminal.note(`${name}: each kernel has one form, there is nothing to tune`);
        continue;
      }
      const findings = await tuneAwake(backend, tuningTasks(name), { budgetMilliseconds: BUDGET_MILLISECONDS });
      tuned.push({ backend: name, findings });
      for (const line of formatTuning({ backend: name, findings })) terminal.print(line);
      await keepTuning(files, findings.record, terminal);
    } finally {
      backend.dispose();
    }
  }
  const document = tuningDocument({ ...thisMachine(), versions: versionsOf(installation) }, tuned);
  terminal.printJson(document);
  if (target?.kind === 'file') {
    await writeDocument(target.path, document);
    terminal.note(`written: ${target.path}`);
  }
  return EXIT.done;
}
