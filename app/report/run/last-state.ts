/** The state of the last checkpoint: what a run folder has without fields. */
import { readRunCheckpoint } from '../../../engine/index.ts';
import type { Model, RunRecord, Storage } from '../../../engine/index.ts';
import type { MethodState, Plane, StoredStates } from './states.ts';

/** η of one state, m; of a model without water its first variable. */
function elevationOf(model: Model, state: Float64Array): Float64Array {
  const { nx, ny } = model.grid;
  const first = model.fromState(state).subarray(0, nx * ny);
  const { bed } = model;
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
  { methods }: RunRecord,
  model: Model,
): Promise<StoredStates | undefined> {
  const checkpoint = await readRunCheckpoint(storage);
  if (!checkpoint || checkpoint.cycle === 0) return undefined;
  const { arrays, cycle } = checkpoint;
  const length = model.variables.length * model.grid.nx * model.grid.ny;
  const stateOf = (name: string): Float64Array | undefined => {
    const found = Object.hasOwn(arrays, name) ? arrays[name] : undefined;
    return found && found.length >= length && found.length % length === 0 ? found : undefined;
  };
  const truth = stateOf('truth');
  if (!truth) return undefined;
  const known = methods.flatMap(({ label }): MethodState[] => {
    const state = stateOf(`method.${label}`);
    if (!state) return [];
    const members = Array.from({ length: state.length / length }, (_, member) =>
      elevationOf(model, state.subarray(member * length, (member + 1) * length)),
    );
    const { mean, deviation } = momentsOf(members);
    return [{ label, forecast: undefined, analysis: mean, spread: deviation }];
  });
  const state = {
    cycle: cycle - 1,
    truth: Float32Array.from(elevationOf(model, truth)),
    methods: known,
    observed: undefined,
  };
  return { origin: 'checkpoint', states: [state] };
}
