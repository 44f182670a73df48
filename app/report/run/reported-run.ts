/** A run folder as a report shows it. */
import {
  comparedRunOf,
  createModel,
  basinOf,
  fileReader,
  gatherSummary,
  readRun,
  readScenarioCopies,
  readScenarioFiles,
  summaryTerms,
} from '../../../engine/index.ts';
import type {
  BasinInfo,
  ComparedRun,
  CycleDiagnostics,
  MethodDivergence,
  Model,
  OpenHdf5,
  RunRecord,
  Scenario,
  Storage,
  StoredKernels,
} from '../../../engine/index.ts';
import { methodStyles } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { lastState, storedStates } from './states.ts';
import type { StoredStates } from './states.ts';

export interface ReportedRun {
  /** What it is called among others: its folder. */
  readonly name: string;
  readonly record: RunRecord;
  readonly scenario: Scenario;
  /** By method label, by ascending cycle. */
  readonly rows: ReadonlyMap<string, readonly CycleDiagnostics[]>;
  readonly kernels: StoredKernels;
  readonly styles: readonly MethodStyle[];
  readonly compared: ComparedRun;
  readonly divergences: readonly MethodDivergence[];
  readonly basin: BasinInfo;
  /** States to be drawn as maps; undefined where the folder has none. */
  readonly states: StoredStates | undefined;
}

function byMethod(rows: readonly CycleDiagnostics[]): Map<string, CycleDiagnostics[]> {
  const found = new Map<string, CycleDiagnostics[]>();
  for (const row of rows) {
    const list = found.get(row.method);
    if (list) list.push(row);
    else found.set(row.method, [row]);
  }
  return found;
}

async function modelOf(storage: Storage, record: RunRecord, openHdf5: OpenHdf5): Promise<Model> {
  const { scenario } = record;
  const copies = await readScenarioCopies(storage, record);
  return createModel(scenario, await readScenarioFiles(scenario, fileReader(copies), scenario.name, openHdf5));
}

/**
 * @param name what the run is called
 * @param openHdf5 reads NetCDF-4 files where it can be stopped
 * @returns undefined where the folder holds no run
 * @throws ScenarioError where a file of it is broken, naming file, place, what was found and what is allowed
 */
export async function readReportedRun(
  storage: Storage,
  name: string,
  openHdf5: OpenHdf5,
): Promise<ReportedRun | undefined> {
  const run = await readRun(storage);
  if (!run) return undefined;
  const { scenario } = run.parsed;
  const record = { ...run.record, scenario };
  const model = await modelOf(storage, record, openHdf5);
  return {
    name,
    record,
    scenario,
    rows: byMethod(run.rows),
    kernels: run.kernels,
    styles: methodStyles(record.methods),
    compared: comparedRunOf(name, record, gatherSummary(run.rows, summaryTerms(scenario))),
    divergences: record.diverged ?? [],
    basin: basinOf(scenario, { model }),
    states: (await storedStates(storage, record, openHdf5)) ?? (await lastState(storage, record, model)),
  };
}

/** @returns what a method is called for people, by its label */
export function titleIn({ styles }: Pick<ReportedRun, 'styles'>): (label: string) => string {
  return (label) => styles.find((style) => style.label === label)?.title ?? label;
}
