/** A ring of Lorenz-96 whose places are observed inside a window and at its end, for methods that analyse windows. */
import type { Backend } from '../../engine/index.ts';
import type { Observed } from '../../engine/check/assimilation/set-up.ts';
import { normals } from '../../engine/check/measures.ts';
import type { MethodContext } from '../../engine/methods/index.ts';
import { createLorenz96 } from '../../engine/models/index.ts';
import { createObservationOperator, observedVariable } from '../../engine/operators/observation/index.ts';

/** Places of the ring, steps of its window, and its length in the model's time. */
export const [N, STEPS] = [12, 4];
export const SECONDS = STEPS * 0.05;

/** @returns every second place: half of them in the middle of the window, the others at its end. @param name of the stream of their values */
export function observedPlaces(name: string): Observed & { readonly moment: Uint32Array } {
  return {
    x: Float64Array.from({ length: N / 2 }, (_, j) => 2 * j),
    y: new Float64Array(N / 2),
    variable: Array.from({ length: N / 2 }, () => 'state0'),
    values: normals(N / 2, name).map((value) => 2 + 3 * value),
    inverseErrorStd: new Float64Array(N / 2).fill(2),
    moment: Uint32Array.from({ length: N / 2 }, (_, j) => j % 2),
  };
}

/** @param members of the method that analyses it */
export async function observedRing(
  backend: Backend,
  observed: ReturnType<typeof observedPlaces>,
  members: number,
): Promise<MethodContext & { dispose(): void }> {
  const model = createLorenz96({ n: N });
  const seen = { grid: model.grid, variables: ['state0'] };
  const capacity = observed.x.length;
  const counts = [...new Set([1, members])];
  const observations = await createObservationOperator(backend, seen, { capacity, members: counts, moments: 1 });
  observations.set({ ...observed, variable: observed.variable.map((name) => observedVariable(name).code) });
  const threshold = backend.allocate('threshold', 'real', capacity);
  backend.write(threshold, new Float64Array(capacity));
  return {
    backend,
    model,
    observations,
    threshold,
    positions: () => observed,
    members,
    seed: 1,
    gravity: 0,
    coriolis: { f: 0, beta: 0 },
    window: { seconds: SECONDS, pace: 0, shares: [0.5], repeat: () => Promise.reject(new Error('repeated')) },
    dispose() {
      observations.dispose();
      threshold.dispose();
    },
  };
}
