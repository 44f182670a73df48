/** What stored cycles have of a few cells: truth, means and members there, and what was observed in them. */
import { CaseError } from '../../errors.ts';
import type { ProbeReading, SnapshotObservations } from '../../run/index.ts';
import { TRUTH } from './stored-plane.ts';
import type { FieldsReader } from './stored-plane.ts';

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
