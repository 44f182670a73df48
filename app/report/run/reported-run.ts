/** A run folder as a report shows it, with its states at some of its cycles. */
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
  openFields,
  readRunCheckpoint,
  refinementOf,
  shownTruth,
  type BasinInfo,
  type ComparedRun,
  type CycleDiagnostics,
  type MethodDivergence,
  type Model,
  type OpenHdf5,
  type RunRecord,
  type Scenario,
  type Storage,
  type StoredKernels,
  type FieldsReader,
} from '../../../engine/index.ts';
import { methodStyles, type MethodStyle } from '../../document/views/method-style.ts';

/** η of physical fields, m; of a model without water its first variable. */
function elevationOf({ grid: { nx, ny }, bed }: Model, fields: Float64Array): Float64Array {
  const first = fields.subarray(0, nx * ny);
  return bed ? first.map((depth, cell) => depth + bed[cell]) : first;
}

/** Mean of η over the members, and their standard deviation with n − 1 in the denominator. */
function momentsOf(members: readonly Float64Array[]): { readonly mean: Plane; readonly deviation: Plane | undefined } {
  const cells = members[0].length;
  const mean = new Float64Array(cells);
  for (const member of members) member.forEach((value, cell) => (mean[cell] += value / members.length));
  if (members.length < 2) return { mean: Float32Array.from(mean), deviation: undefined };
  const squares = new Float64Array(cells);
  for (const member of members) member.forEach((value, cell) => (squares[cell] += (value - mean[cell]) ** 2));
  const deviation = Float32Array.from(squares, (sum) => Math.sqrt(sum / (members.length - 1)));
  return { mean: Float32Array.from(mean), deviation };
}

/** @returns undefined of a run without a checkpoint. @throws ScenarioError when a file of it is missing, damaged or another's */
export async function lastState(
  storage: Storage,
  { methods, scenario }: RunRecord,
  model: Model,
): Promise<StoredStates | undefined> {
  const checkpoint = await readRunCheckpoint(storage);
  if (!checkpoint || checkpoint.cycle === 0) return undefined;
  const { arrays, cycle } = checkpoint;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const arrayOf = (name: string): Float64Array | undefined => (Object.hasOwn(arrays, name) ? arrays[name] : undefined);
  const truth = arrayOf('truth');
  if (truth?.length !== length * refinementOf(scenario) ** 2) return undefined;
  const known = methods.flatMap(({ label }): MethodState[] => {
    const state = arrayOf(`method.${label}`);
    if (!state || state.length < length || state.length % length > 0) return [];
    const members = Array.from({ length: state.length / length }, (_, member) =>
      elevationOf(model, model.fromState(state.subarray(member * length, (member + 1) * length))),
    );
    const { mean, deviation } = momentsOf(members);
    return [{ label, forecast: undefined, analysis: mean, spread: deviation }];
  });
  const state = {
    cycle: cycle - 1,
    truth: Float32Array.from(elevationOf(model, shownTruth(scenario, model, truth))),
    methods: known,
    observed: undefined,
  };
  return { origin: 'checkpoint', states: [state] };
}

/** Cycles that are shown beside each other. */
const SHOWN = 4;

/** @returns as many of the cycles as are shown, evenly, the first and the last among them */
export function chosenCycles(cycles: readonly number[], most = SHOWN): readonly number[] {
  if (cycles.length <= most) return cycles;
  return Array.from({ length: most }, (_, n) => cycles[Math.round((n * (cycles.length - 1)) / (most - 1))]);
}

async function methodState(fields: FieldsReader, cycle: number, label: string): Promise<MethodState | undefined> {
  const plane = (when: 'forecast' | 'analysis' | 'analysis-spread'): Promise<Float32Array | undefined> =>
    fields.readPlane({ cycle, of: label, variable: 'eta', when });
  const analysis = await plane('analysis');
  if (!analysis) return undefined;
  return { label, forecast: await plane('forecast'), analysis, spread: await plane('analysis-spread') };
}

async function stateAt(fields: FieldsReader, methods: readonly string[], cycle: number): Promise<CycleState[]> {
  const truth = await fields.readPlane({ cycle, of: 'truth', variable: 'eta' });
  if (!truth) return [];
  const found: MethodState[] = [];
  for (const label of methods) {
    const state = await methodState(fields, cycle, label);
    if (state) found.push(state);
  }
  const { x, y } = await fields.observationsAt(cycle);
  return [{ cycle, truth, methods: found, observed: { x, y } }];
}

/** @returns undefined of a folder that keeps none. @throws ScenarioError, CaseError where the file of the fields is broken */
async function storedStates(
  storage: Storage,
  record: RunRecord,
  openHdf5: OpenHdf5,
): Promise<StoredStates | undefined> {
  const fields = await openFields(storage, openHdf5);
  if (!fields) return undefined;
  try {
    const states: CycleState[] = [];
    for (const cycle of chosenCycles(fields.cycles.filter((each) => each >= 0))) {
      states.push(
        ...(await stateAt(
          fields,
          record.methods.map(({ label }) => label).filter((label) => fields.methods.includes(label)),
          cycle,
        )),
      );
    }
    return states.length > 0 ? { origin: 'fields', states } : undefined;
  } finally {
    fields.dispose();
  }
}

/** A plane of the basin, [y][x]. */
export type Plane = Float32Array;

export interface MethodState {
  readonly label: string;
  /** Surface height η of its mean, m, before the analysis, where it is stored, and after it. */
  readonly forecast: Plane | undefined;
  readonly analysis: Plane;
  /** Standard deviation of η over the members, m; undefined of a single state. */
  readonly spread: Plane | undefined;
}

export interface CycleState {
  readonly cycle: number;
  /** Surface height of the truth, m. */
  readonly truth: Plane;
  /** Without those that had diverged. */
  readonly methods: readonly MethodState[];
  /** Places of the observations in cells, where they are stored. */
  readonly observed: { readonly x: ArrayLike<number>; readonly y: ArrayLike<number> } | undefined;
}

interface StoredStates {
  /** Whether they are the states of chosen cycles, or that of the last checkpoint alone. */
  readonly origin: 'fields' | 'checkpoint';
  /** By ascending cycle. */
  readonly states: readonly CycleState[];
}

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
