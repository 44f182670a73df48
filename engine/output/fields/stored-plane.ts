/** What can be asked of the stored states of a run, whichever form they have. */
import type {
  SnapshotObservations,
  ProbeReading,
  HostPlane,
  MethodSnapshot,
  Snapshot,
  StatePlanes,
} from '../../run/index.ts';
import type { RunRecord } from '../run-record.ts';
import type { StateName } from './snapshot-record.ts';
import { CaseError } from '../../errors.ts';
import { localVolumesOf, scenarioAt } from '../../scenario/index.ts';

/** What is asked for as the truth, which has neither forecast nor spread. */
export const TRUTH = 'truth';

/** A plane of a cycle. */
export interface StoredPlane {
  readonly cycle: number;
  /** `TRUTH`, or a method's label. */
  readonly of: string;
  /** η, m above the water at rest; momenta hu and hv, m²/s. */
  readonly variable: StateName;
  /**
   * The mean of the members before or after the analysis, which is what is meant if omitted; or, which is kept with η alone, their
   * standard deviation there, or the factor of their covariance in the analysis. Means nothing for the truth.
   */
  readonly when?: 'forecast' | 'analysis' | 'forecast-spread' | 'analysis-spread' | 'inflation';
  /** One member after the analysis, from 0, in place of their mean. */
  readonly member?: number;
}

export interface FieldsReader {
  /** Whose states are stored, ascending; of a run that is under way as far as it had come when this was opened. */
  readonly cycles: readonly number[];
  /** When those cycles ended, s since the start of the experiment; as many. */
  readonly timesSeconds: readonly number[];
  /** Labels of the methods. */
  readonly methods: readonly string[];
  readonly scenario: RunRecord['scenario'];
  readonly grid: RunRecord['scenario']['grid'];
  readonly variables: readonly StateName[];
  /** Members that are stored beside the means, from 0; of methods that have as many. */
  readonly members: readonly number[];
  /**
   * @returns [y][x]; undefined where the run has no such plane: of a method that had diverged or has one state, or a member that
   *   was not kept
   * @throws RangeError for a cycle or a method that is not stored; ScenarioError, CaseError where the file is broken
   */
  readPlane(plane: StoredPlane): Promise<Float32Array | undefined>;
  /** Places in grid units. @throws RangeError for a cycle that is not stored; ScenarioError, CaseError where the file is broken */
  observationsAt(cycle: number): Promise<SnapshotObservations>;
  dispose(): void;
}

/** What the two forms of the file have in common. */
export type FieldsSource = Pick<
  FieldsReader,
  'cycles' | 'timesSeconds' | 'methods' | 'members' | 'readPlane' | 'observationsAt' | 'dispose'
>;

/** Observations that lie in a cell. */
export type CellObservations = Pick<SnapshotObservations, 'x' | 'y' | 'variable' | 'values' | 'inverseErrorStd'>;

/** A cell in a cycle. */
export interface StoredCell {
  /** Without methods that had diverged. */
  readonly reading: ProbeReading;
  readonly observations: CellObservations;
}

type MethodReading = ProbeReading['methods'][string];

/** @returns those of the observations that lie in a cell, index y·nx + x */
function observationsIn(all: SnapshotObservations, cell: number, nx: number): CellObservations {
  const { x, y, variable, values, inverseErrorStd } = all;
  const [column, row] = [cell % nx, Math.floor(cell / nx)];
  const inside = Array.from(x.keys()).filter((k) => Math.abs(x[k] - column) <= 0.5 && Math.abs(y[k] - row) <= 0.5);
  const of = (numbers: Float64Array): Float64Array => Float64Array.from(inside, (k) => numbers[k]);
  return {
    x: of(x),
    y: of(y),
    variable: inside.map((k) => variable[k]),
    values: of(values),
    inverseErrorStd: of(inverseErrorStd),
  };
}

/**
 * Reads each plane of η once, whatever the number of cells: a plane is packed as a whole. Members are at their numbers, with NaN
 * in place of those that were not kept.
 *
 * @param cells indices y·nx + x
 * @param divergedAt the cycle in which a method diverged, by its label
 * @returns one for each cell, in their order
 * @throws RangeError for a cycle that is not stored; ScenarioError, CaseError where the file is broken
 */
export async function readStoredCells(
  fields: Pick<
    FieldsReader,
    'cycles' | 'timesSeconds' | 'methods' | 'members' | 'grid' | 'readPlane' | 'observationsAt'
  >,
  cycle: number,
  cells: readonly number[],
  divergedAt: ReadonlyMap<string, number> = new Map(),
): Promise<readonly StoredCell[]> {
  const { methods, members, grid, timesSeconds, cycles } = fields;
  const plane = { cycle, variable: 'eta' } as const;
  const truth = await fields.readPlane({ ...plane, of: TRUTH });
  if (!truth) throw new CaseError(`the stored states of cycle ${cycle} lack the truth`);
  const byMethod = new Map<string, readonly MethodReading[]>();
  for (const of of methods) {
    if ((divergedAt.get(of) ?? Infinity) <= cycle) continue;
    const forecast = await fields.readPlane({ ...plane, of, when: 'forecast' });
    const analysis = await fields.readPlane({ ...plane, of, when: 'analysis' });
    if (!forecast || !analysis) throw new CaseError(`the stored states of cycle ${cycle} lack those of ${of}`);
    // Two at least: one alone would be taken for a method of one state.
    const bundle = cells.map(() => new Float32Array(1 + Math.max(1, ...members)).fill(Number.NaN));
    let count = 0;
    for (const member of members) {
      const state = await fields.readPlane({ ...plane, of, member });
      // A method of one state has none, and a small ensemble has the first of them.
      if (!state) break;
      cells.forEach((cell, index) => (bundle[index][member] = state[cell]));
      count = Math.max(2, member + 1);
    }
    byMethod.set(
      of,
      cells.map((cell, index) => ({
        forecast: forecast[cell],
        analysis: analysis[cell],
        members: bundle[index].slice(0, count),
      })),
    );
  }
  const timeSeconds = timesSeconds[cycles.indexOf(cycle)];
  const observations = await fields.observationsAt(cycle);
  return cells.map((cell, index) => ({
    reading: {
      cycle,
      timeSeconds,
      truth: truth[cell],
      methods: Object.fromEntries([...byMethod].map(([label, readings]) => [label, readings[index]])),
    },
    observations: observationsIn(observations, cell, grid.nx),
  }));
}

/** What of a plane is left when its cycle is given. */
type PlaneOf = Omit<StoredPlane, 'cycle' | 'variable'>;

/** What a state is read from. */
type PlaneReading = Pick<
  FieldsReader,
  'cycles' | 'timesSeconds' | 'methods' | 'scenario' | 'readPlane' | 'observationsAt'
>;

function host(values: Float32Array): HostPlane {
  return { kind: 'host', values };
}

/** @returns the three planes of a state; undefined where the file has not all of them */
async function stateOf(fields: PlaneReading, cycle: number, plane: PlaneOf): Promise<StatePlanes | undefined> {
  const eta = await fields.readPlane({ ...plane, cycle, variable: 'eta' });
  const hu = eta && (await fields.readPlane({ ...plane, cycle, variable: 'hu' }));
  const hv = hu && (await fields.readPlane({ ...plane, cycle, variable: 'hv' }));
  return hv && { eta: host(eta), hu: host(hu), hv: host(hv) };
}

/** What a method is drawn as that has left what the model can represent: water at rest, as after a restart. */
function atRest(method: string, divergedAt: number, cells: number): MethodSnapshot {
  const plane = host(new Float32Array(cells));
  const state = { eta: plane, hu: plane, hv: plane };
  return { method, divergedAt, analysis: state, forecast: state, spread: undefined };
}

/**
 * Reads all that the file has of truth and means in a cycle; members are left where they are.
 *
 * @param divergedAt the cycle in which a method diverged, by its label
 * @throws RangeError for a cycle that is not stored; ScenarioError, CaseError where the file is broken, or lacks a state
 */
export async function readStoredSnapshot(
  fields: PlaneReading,
  cycle: number,
  divergedAt: ReadonlyMap<string, number> = new Map(),
): Promise<Snapshot> {
  const { nx, ny } = fields.scenario.grid;
  const truth = await stateOf(fields, cycle, { of: TRUTH });
  if (!truth) throw new CaseError(`the stored states of cycle ${cycle} lack the truth`);
  const methods: MethodSnapshot[] = [];
  for (const of of fields.methods) {
    const at = divergedAt.get(of);
    if (at !== undefined && at <= cycle) {
      methods.push(atRest(of, at, nx * ny));
      continue;
    }
    const forecast = await stateOf(fields, cycle, { of, when: 'forecast' });
    const analysis = forecast && (await stateOf(fields, cycle, { of, when: 'analysis' }));
    if (!analysis) throw new CaseError(`the stored states of cycle ${cycle} lack those of ${of}`);
    const spread = await fields.readPlane({ of, cycle, variable: 'eta', when: 'analysis-spread' });
    const inflation = await fields.readPlane({ of, cycle, variable: 'eta', when: 'inflation' });
    methods.push({
      method: of,
      forecast,
      analysis,
      spread: spread && host(spread),
      volumes: localVolumesOf(scenarioAt(fields.scenario, cycle), of),
      inflation: inflation && host(inflation),
    });
  }
  const timeSeconds = fields.timesSeconds[fields.cycles.indexOf(cycle)];
  return { cycle, timeSeconds, truth, methods, observations: await fields.observationsAt(cycle) };
}
