/** A run folder, as `shoal run` or "Save run as folder" writes it: its scenario, its results, and where it can go on. */
import { createMemoryStorage, readRun, readRunCheckpoint, validateScenario } from '../../../engine/index.ts';
import type { Checkpoint, CycleDiagnostics, KernelRecord, ParsedScenario } from '../../../engine/index.ts';
import type { KernelCycle, StoredRunKernels } from './session-state.ts';

export interface OpenedRun {
  readonly parsed: ParsedScenario;
  readonly rows: readonly CycleDiagnostics[];
  readonly kernels: StoredRunKernels;
  readonly checkpoint: Checkpoint | undefined;
}

function byCycle(records: readonly KernelRecord[]): KernelCycle[] {
  const cycles = new Map<number, KernelRecord[]>();
  for (const record of records) {
    const timings = cycles.get(record.cycle);
    if (timings) timings.push(record);
    else cycles.set(record.cycle, [record]);
  }
  return [...cycles].map(([cycle, timings]) => ({ cycle, timings })).sort((a, b) => a.cycle - b.cycle);
}

/**
 * @param files of the folder, by their paths inside it
 * @throws Error where the folder holds no run, ScenarioError where its scenario is none of this version or a file is broken
 */
export async function readRunFolder(files: Readonly<Record<string, Uint8Array>>): Promise<OpenedRun> {
  const storage = createMemoryStorage();
  for (const [path, bytes] of Object.entries(files)) await storage.writeWhole(path, bytes);
  const run = await readRun(storage);
  if (!run) throw new Error('found no run.json in the folder; a run folder is what "shoal run" writes');
  const parsed = validateScenario(run.record.scenario, 'run.json');
  // A folder without its checkpoint still shows what was found; the run then begins anew.
  const checkpoint = await readRunCheckpoint(storage).catch(() => undefined);
  const { records, totals, ceilings } = run.kernels;
  return { parsed, rows: run.rows, kernels: { totals, recent: byCycle(records), ceilings }, checkpoint };
}
