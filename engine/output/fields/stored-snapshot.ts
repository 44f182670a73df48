/** A stored cycle as a run on screen has it: truth and means as planes in memory, and the observations. */
import { CaseError } from '../../errors.ts';
import type { HostPlane, MethodSnapshot, Snapshot, StatePlanes } from '../../run/index.ts';
import { TRUTH } from './stored-plane.ts';
import type { FieldsReader, StoredPlane } from './stored-plane.ts';

/** What of a plane is left when its cycle is given. */
type PlaneOf = Omit<StoredPlane, 'cycle' | 'variable'>;

/** What a state is read from. */
type PlaneReading = Pick<FieldsReader, 'cycles' | 'timesSeconds' | 'methods' | 'grid' | 'readPlane' | 'observationsAt'>;

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
  const { nx, ny } = fields.grid;
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
    methods.push({ method: of, forecast, analysis, spread: spread && host(spread) });
  }
  const timeSeconds = fields.timesSeconds[fields.cycles.indexOf(cycle)];
  return { cycle, timeSeconds, truth, methods, observations: await fields.observationsAt(cycle) };
}
