import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../../engine/index.ts';
import {
  bilinearStencil,
  linearisation,
  observation,
  observedVariable,
  sparseAdjoint,
  sparseProduct,
  transposeStructure,
} from '../../../../engine/operators/observation/index.ts';
import { applyOperator, allBackends } from '../../../setup/backends.ts';
import { noise } from '../../../../engine/check/measures.ts';
import { dot } from '../signals.ts';
import { bounded, flow, norm } from './flow.ts';

/** The velocity seen in water of depth t·ε, ε = 1e-3, with hu = 0.3. */
function almostDry(t: number): number {
  return (300 * Math.SQRT2 * t) / Math.sqrt(1 + t ** 4);
}

describe.each(allBackends)('observation on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const plane = 35;
  const names = ['h', 'eta', 'hu', 'hv', 'u', 'v', 'speed'];
  const x = [0.5, 1.25, 3, 4.75, 5.5, 2.1, 0.3];
  const y = [0.5, 3.75, 2, 0.25, 3.9, 1.4, 2.6];
  const stencil = bilinearStencil(bounded, x, y);
  const kind = names.map((name) => observedVariable(name).kind);

  /** A component at a point, straight from the definition. */
  const at = (state: ArrayLike<number>, base: number, point: number): number => {
    let sum = 0;
    for (let c = 4 * point; c < 4 * point + 4; c++) sum += stencil.weights[c] * state[base + stencil.corners[c]];
    return sum;
  };

  it('sees component, velocity and speed of every member', async () => {
    const batch = 3;
    const state = new Float64Array(batch * 3 * plane);
    for (let member = 0; member < batch; member++) state.set(flow(plane, 50 * member + 1), member * 3 * plane);
    const offset = [0, 10, 0, 0, 0.5, 0.5, 0.5];
    const { output } = await applyOperator(
      backend,
      observation,
      { observations: 7, plane, variables: 3, batch, dryDepth: 1e-3 },
      { state, ...stencil, kind, offset, output: batch * 7 },
    );
    for (let member = 0; member < batch; member++) {
      const base = member * 3 * plane;
      const h = (point: number): number => at(state, base, point);
      const hu = (point: number): number => at(state, base + plane, point);
      const hv = (point: number): number => at(state, base + 2 * plane, point);
      expect(output.subarray(7 * member, 7 * member + 7)).toBeClose(
        [
          h(0),
          h(1) + 10,
          hu(2),
          hv(3),
          hu(4) / (h(4) + 0.5),
          hv(5) / (h(5) + 0.5),
          Math.hypot(hu(6), hv(6)) / (h(6) + 0.5),
        ],
        // Some ten roundings of 6e-8 or 1.1e-16 relative to numbers of order 1 to 12.
        { relative: single ? 1e-6 : 2e-15 },
      );
    }
  });

  it('sees 0 in the padding, and a finite velocity that vanishes with the depth', async () => {
    const state = new Float64Array(3 * plane);
    state.fill(0.3, plane, 2 * plane);
    const depths = [-0.5, 0, 1e-9, 0.5e-3, 1e-3, 2e-3];
    const observations = depths.length + 1;
    const corners = new Uint32Array(4 * observations);
    const weights = new Float64Array(4 * observations);
    depths.forEach((_, j) => (weights[4 * j] = 1));
    const { output } = await applyOperator(
      backend,
      observation,
      { observations, plane, variables: 3, batch: 1, dryDepth: 1e-3 },
      {
        state,
        corners,
        weights,
        kind: [...depths, 0].map(() => observedVariable('u').kind),
        offset: [...depths, 0],
        output: observations,
      },
    );
    const expected = [0, 0, almostDry(1e-6), almostDry(0.5), 300, 150, 0];
    expect(output).toBeClose(expected, { relative: single ? 1e-6 : 1e-14 });
  });
});

describe.each(allBackends)('tangent linear on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  const plane = 35;
  const names = ['state1', 'h', 'u', 'v', 'speed', 'eta', 'speed'];
  const observations = names.length;
  const variables = names.map(observedVariable);
  const stencil = bilinearStencil(bounded, [0.5, 1.25, 3.5, 4.75, 5.5, 2.1, 0.3], [0.5, 3.75, 2, 0.25, 3.9, 1.4, 2.6]);
  const kind = variables.map((variable) => variable.kind);
  const offset = [0, 0, 0.5, 0.5, 0.5, 3, 0.5];
  const indptr = new Uint32Array(observations + 1);
  variables.forEach(({ components }, row) => (indptr[row + 1] = indptr[row] + 4 * components.length));
  const nonzeros = indptr[observations];
  const indices = new Uint32Array(nonzeros);
  variables.forEach(({ components }, row) =>
    components.forEach((component, block) => {
      for (let c = 0; c < 4; c++) {
        indices[indptr[row] + 4 * block + c] = component * plane + stencil.corners[4 * row + c];
      }
    }),
  );
  const shape = { observations, plane, variables: 3, dryDepth: 1e-3 };
  const structure = transposeStructure({ indptr, indices }, 3 * plane);

  const tangentAt = async (state: Float64Array, inverseErrorStd: ArrayLike<number>): Promise<Float64Array> => {
    const result = await applyOperator(backend, linearisation, shape, {
      state,
      ...stencil,
      kind,
      offset,
      inverseErrorStd,
      indptr,
      data: nonzeros,
    });
    return result.data;
  };
  const product = async (data: Float64Array, input: Float64Array): Promise<Float64Array> => {
    const parameters = { rows: observations, columns: 3 * plane, nonzeros, batch: 1 };
    const fields = { indptr, indices, data, input, output: observations };
    return (await applyOperator(backend, sparseProduct, parameters, fields)).output;
  };
  const seen = async (state: Float64Array): Promise<Float64Array> => {
    const fields = { state, ...stencil, kind, offset, output: observations };
    return (await applyOperator(backend, observation, { ...shape, batch: 1 }, fields)).output;
  };
  const ones = new Float64Array(observations).fill(1);

  it('is what H does to a small change (Taylor): the remainder falls as the square of the step', async () => {
    const state = flow(plane);
    const change = noise(3 * plane, 900);
    const linear = await product(await tangentAt(state, ones), change);
    const before = await seen(state);
    const remainder = async (step: number): Promise<number> => {
      const after = await seen(state.map((value, i) => value + step * change[i]));
      return norm(after.map((value, j) => value - before[j] - step * linear[j]));
    };
    // The steps stay where the quadratic remainder, some 0.5 step², is far above rounding: 1e-7 or 1e-16.
    const steps = single ? [0.2, 0.1, 0.05, 0.025] : [1e-1, 1e-2, 1e-3, 1e-4];
    const remainders = [];
    for (const step of steps) remainders.push(await remainder(step));
    for (let k = 1; k < steps.length; k++) {
      const order = Math.log(remainders[k - 1] / remainders[k]) / Math.log(steps[k - 1] / steps[k]);
      expect(order).toBeGreaterThan(1.8);
      expect(order).toBeLessThan(2.2);
    }
  });

  it('has its adjoint: ⟨H′x, y⟩ = ⟨x, H′ᵀy⟩', async () => {
    const data = await tangentAt(flow(plane), noise(observations, 5).map(Math.abs));
    const x = noise(3 * plane, 60);
    const y = noise(observations, 70);
    const forward = await product(data, x);
    const { output } = await applyOperator(
      backend,
      sparseAdjoint,
      { rows: observations, columns: 3 * plane, nonzeros, batch: 1 },
      { ...structure, data, input: y, output: 3 * plane },
    );
    const difference = Math.abs(dot(forward, y) - dot(x, output));
    expect(difference).toBeLessThanOrEqual((single ? 1e-5 : 1e-12) * norm(forward) * norm(y));
  });

  it('has exactly empty rows where the inverse deviation is 0, and scales the others', async () => {
    const state = flow(plane);
    const whole = await tangentAt(state, ones);
    const scaled = await tangentAt(state, [2, 0, 2, 0, 2, 2, 2]);
    const expected = whole.map((value, entry) =>
      (entry >= indptr[1] && entry < indptr[2]) || (entry >= indptr[3] && entry < indptr[4]) ? 0 : 2 * value,
    );
    expect(scaled).toBeClose(expected, { absolute: 0 });
  });

  it('is finite at rest and on dry ground, where speed has no derivative', async () => {
    const state = new Float64Array(3 * plane);
    const dry = await tangentAt(
      state.map((_, i) => (i < plane ? -0.5 : 0)),
      ones,
    );
    expect(dry.every(Number.isFinite)).toBe(true);
    state.fill(1.5, 0, plane);
    const atRest = await tangentAt(state, ones);
    expect(atRest.subarray(indptr[4], indptr[5])).toBeClose(new Float64Array(12), { absolute: 0 });
    // u at rest in water of depth 1.5 + 0.5: ∂u/∂hu = 1/2 at the point.
    const byMomentum = atRest.subarray(indptr[2] + 4, indptr[2] + 8);
    expect(byMomentum.reduce((sum, value) => sum + value)).toBeClose(0.5, { absolute: single ? 1e-6 : 1e-15 });
  });
});
