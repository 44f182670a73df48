/** The state of the last checkpoint: what a run folder has without fields. */
import { readRunCheckpoint, refinementOf, shownTruth } from '../../../engine/index.ts';
import type { Model, RunRecord, Storage } from '../../../engine/index.ts';
import type { MethodState, Plane, StoredStates } from './states.ts';

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
