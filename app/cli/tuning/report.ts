/** What `shoal bench --tune` has found: as a document, and as a table for people. */
import Table from 'cli-table3';
import { digits } from '../bench/report.ts';
import { tuningTasks, type BackendName, type TuningFinding, type TuningFindings } from '../../../engine/index.ts';
import { EXIT, type Context, type ExitCode } from '../context.ts';
import { thisMachine, versionsOf, type Machine } from '../installation.ts';
import { openBackend, type BackendPlace } from '../select-backend.ts';
import { keepTuning, tuneAwake } from './first-use.ts';
import { createTuningFiles } from './store.ts';
import { writeDocument, type JsonTarget } from '../bench/target.ts';

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
  const table = new Table({
    head: ['kernel', 'size', 'candidate', 'best, ms', '', 'over default'],
    colAligns: ['left', 'left', 'left', 'right', 'left', 'right'],
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const finding of kernels) table.push(...rowsOf(finding));
  const problems = kernels.flatMap(({ kernel, candidates }) =>
    candidates.flatMap(({ variant, problem }) =>
      problem === undefined ? [] : [`  ${kernel}, ${variant}: ${problem}`],
    ),
  );
  return [
    `${backend} (${record.device}): kernels ${record.version}, tuned in ${(milliseconds / 1000).toFixed(1)} s`,
    table.toString(),
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
