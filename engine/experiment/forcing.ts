/** Makes what happens to the water during the run happen: to the truth alone, to all, or to each on its own. */
import type { Backend, RealField } from '../compute/backend.ts';
import { forcingDefinition } from '../forcing/index.ts';
import type { Grid } from '../models/index.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import { randomStream } from '../random/stream.ts';
import type { Scenario } from '../scenario/index.ts';

export interface Forcing {
  /** Draws what falls at the start of a cycle. */
  draw(cycle: number): void;
  applyToTruth(truth: RealField): void;
  /** @param state [members][variable][y][x]; a deterministic method's single state has the mean of the members' drops */
  applyToEnsemble(state: RealField, members: number): void;
  dispose(): void;
}

const NOTHING: Forcing = {
  draw: () => undefined,
  applyToTruth: () => undefined,
  applyToEnsemble: () => undefined,
  dispose: () => undefined,
};

/** The mean member of an ensemble [members][length]. */
function meanOf(ensemble: Float64Array, members: number): Float64Array {
  const length = ensemble.length / members;
  const mean = new Float64Array(length);
  ensemble.forEach((value, element) => (mean[element % length] += value / members));
  return mean;
}

/** @param stateLength elements of one member; drops raise the first variable, whether it is the depth or the surface */
export async function createForcing(
  backend: Backend,
  scenario: Scenario,
  grid: Grid,
  stateLength: number,
): Promise<Forcing> {
  const { truth, background, seed } = scenario;
  const { forcing } = truth;
  const { events } = forcingDefinition(forcing.kind);
  if (!events) return NOTHING;
  const seenBy = events.seenBy(forcing);
  const { members } = background;
  const single = { noise: backend.allocate('forcing.truth', 'real', stateLength), members: 1 };
  const many = { noise: backend.allocate('forcing.ensemble', 'real', members * stateLength), members };
  const adding = new Map(
    await Promise.all(
      [1, members].map(
        async (count) => [count, await backend.prepare(perturbation, { members: count, length: stateLength })] as const,
      ),
    ),
  );
  const drops = (streamName: string, ...index: readonly number[]): Float64Array => {
    const state = new Float64Array(stateLength);
    state.set(events.elevation(forcing, grid, randomStream(seed, streamName, ...index)));
    return state;
  };
  let falls = false;
  let ofTruth: Float64Array = new Float64Array(0);
  let ofOwn: Float64Array = new Float64Array(0);
  const add = (noise: RealField, values: Float64Array, ensemble: RealField, count: number): void => {
    backend.write(noise, values);
    adding.get(count)?.run({ noise, ensemble });
  };

  return {
    draw(cycle) {
      falls = cycle % events.every(forcing) === 0;
      if (!falls) return;
      ofTruth = drops('truth.forcing', cycle);
      if (seenBy === 'truth') return;
      ofOwn = new Float64Array(members * stateLength);
      for (let member = 0; member < members; member++) {
        const own = seenBy === 'all' ? ofTruth : drops('background.forcing', cycle, member);
        ofOwn.set(own, member * stateLength);
      }
    },
    applyToTruth(state) {
      if (falls) add(single.noise, ofTruth, state, 1);
    },
    applyToEnsemble(state, count) {
      if (!falls || seenBy === 'truth') return;
      if (count === members) add(many.noise, ofOwn, state, members);
      else add(single.noise, meanOf(ofOwn, members), state, 1);
    },
    dispose() {
      for (const owned of [single.noise, many.noise, ...adding.values()]) owned.dispose();
    },
  };
}
