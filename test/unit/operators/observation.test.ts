import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CaseError } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import {
  bilinearStencil,
  innovation,
  interpolation,
  linearise,
  measurement,
  observe,
  observedVariable,
  qualityControl,
  columnScaling,
  sparseAdjoint,
  sparseProduct,
  transposeStructure,
} from '../../../engine/operators/observation/index.ts';
import { applyOperator, houses } from '../../setup/backends.ts';

/** Reproducible numbers in (−1, 1): Weyl sequence of the golden ratio's square root, well spread and never 0. */
function spread(length: number, start = 1): Float64Array {
  return Float64Array.from({ length }, (_, i) => 2 * (((i + start) * 0.786_151_377_757_423_3) % 1) - 1);
}

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}

function norm(a: ArrayLike<number>): number {
  return Math.sqrt(dot(a, a));
}

/** Depth near 2, momenta near ±1, on nx × ny cells. */
function flow(plane: number, start = 1): Float64Array {
  const state = spread(3 * plane, start);
  for (let i = 0; i < plane; i++) state[i] = 2 + 0.5 * state[i];
  return state;
}

/** A function that bilinear interpolation reproduces. */
function bilinear(x: number, y: number): number {
  return 1 + 2 * x - 3 * y + 0.5 * x * y;
}

/** The velocity seen in water of depth t·ε, ε = 1e-3, with hu = 0.3. */
function almostDry(t: number): number {
  return (300 * Math.SQRT2 * t) / Math.sqrt(1 + t ** 4);
}

const bounded = { nx: 7, ny: 5, periodicX: false, periodicY: false };

describe('bilinear stencil', () => {
  it('reproduces a function that is linear in x, in y, and in xy, to the last centre', () => {
    const x = [0, 6, 0, 6, 2.25, 5.999, 3];
    const y = [0, 0, 4, 4, 3.75, 3.999, 2];
    const { corners, weights } = bilinearStencil(bounded, x, y);
    for (let point = 0; point < x.length; point++) {
      let sum = 0;
      for (let c = 4 * point; c < 4 * point + 4; c++) {
        sum += weights[c] * bilinear(corners[c] % bounded.nx, Math.floor(corners[c] / bounded.nx));
      }
      // Four products of numbers below 20, each rounded: 8 × 20 × 1.1e-16.
      expect(sum).toBeClose(bilinear(x[point], y[point]), { absolute: 2e-14 });
    }
  });

  it('wraps around periodic axes and takes a single cell for itself', () => {
    const periodic = bilinearStencil({ ...bounded, periodicX: true, periodicY: true }, [6.25], [4.5]);
    expect([...periodic.corners]).toEqual([34, 28, 6, 0]);
    expect(periodic.weights).toBeClose([0.375, 0.125, 0.375, 0.125], { absolute: 0 });
    const line = bilinearStencil({ nx: 4, ny: 1, periodicX: true, periodicY: true }, [3.5], [0]);
    expect([...line.corners]).toEqual([3, 0, 3, 0]);
    expect(line.weights).toBeClose([0.5, 0.5, 0, 0], { absolute: 0 });
    const single = bilinearStencil({ nx: 1, ny: 1, periodicX: false, periodicY: false }, [0], [0]);
    expect([...single.corners]).toEqual([0, 0, 0, 0]);
    expect(single.weights).toBeClose([1, 0, 0, 0], { absolute: 0 });
  });

  it.each([
    [6.01, 1, /observation 1 at \(x 6.01, y 1\).*0 ≤ x ≤ 6/],
    [-0.01, 1, /0 ≤ x ≤ 6/],
    [1, 4.5, /0 ≤ y ≤ 4/],
    [NaN, 1, /0 ≤ x ≤ 6/],
  ])('refuses a point outside: (%d, %d)', (x, y, message) => {
    expect(() => bilinearStencil(bounded, [0, x], [0, y])).toThrow(CaseError);
    expect(() => bilinearStencil(bounded, [0, x], [0, y])).toThrow(message);
  });

  it('refuses the size itself on a periodic axis', () => {
    expect(() => bilinearStencil({ ...bounded, periodicX: true }, [7], [0])).toThrow(/0 ≤ x < 7/);
  });
});

describe('observed variables', () => {
  it('are found by name and by code', () => {
    for (const name of ['h', 'eta', 'hu', 'hv', 'u', 'v', 'speed', 'state0', 'state17']) {
      expect(observedVariable(observedVariable(name).code).name).toBe(name);
    }
  });

  it('refuse what nobody can observe', () => {
    for (const name of ['vorticity', 'state', 'state-1', 'state256', -1, 0.5, 4000]) {
      expect(() => observedVariable(name)).toThrow(/not an observed variable; use one of h, eta/);
    }
  });
});

describe('transpose structure', () => {
  it('walks the same entries by column, with empty rows, empty columns and repeated entries', () => {
    const indptr = Uint32Array.from([0, 2, 2, 5, 6]);
    const indices = Uint32Array.from([3, 1, 1, 3, 3, 0]);
    const { columnStart, entryRow, entryPosition } = transposeStructure({ indptr, indices }, 6);
    expect([...columnStart]).toEqual([0, 1, 3, 3, 6, 6, 6]);
    expect([...entryPosition]).toEqual([5, 1, 2, 0, 3, 4]);
    expect([...entryRow]).toEqual([3, 0, 2, 0, 2, 2]);
  });
});

describe.each(houses)('observation on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  describe('sparse product', () => {
    // Rows of 0, 1, 2, … 4 entries, more rows than a workgroup, and columns that no row touches.
    const rows = 131;
    const columns = 77;
    const batch = 3;
    const indptr = new Uint32Array(rows + 1);
    for (let row = 0; row < rows; row++) indptr[row + 1] = indptr[row] + (row % 5);
    const nonzeros = indptr[rows];
    const indices = Uint32Array.from({ length: nonzeros }, (_, entry) => (entry * entry + 3) % (columns - 2));
    const data = spread(nonzeros);
    const parameters = { rows, columns, nonzeros, batch };
    const structure = transposeStructure({ indptr, indices }, columns);

    it('is Hx for every vector of the batch', async () => {
      const input = spread(batch * columns, 500);
      const { output } = await applyOperator(backend, sparseProduct, parameters, {
        indptr,
        indices,
        data,
        input,
        output: batch * rows,
      });
      const dense = new Float64Array(rows * columns);
      for (let row = 0; row < rows; row++) {
        for (let e = indptr[row]; e < indptr[row + 1]; e++) dense[row * columns + indices[e]] += data[e];
      }
      const expected = Float64Array.from({ length: batch * rows }, (_, k) => {
        const row = k % rows;
        const member = Math.floor(k / rows);
        return dot(
          dense.subarray(row * columns, (row + 1) * columns),
          input.subarray(member * columns, (member + 1) * columns),
        );
      });
      // Four products of size below 1: 8 roundings of 6e-8 or 1.1e-16.
      expect(output).toBeClose(expected, { absolute: single ? 5e-7 : 1e-15 });
    });

    it('has its adjoint: ⟨Hx, y⟩ = ⟨x, Hᵀy⟩', async () => {
      const x = spread(batch * columns, 41);
      const y = spread(batch * rows, 87);
      const forward = await applyOperator(backend, sparseProduct, parameters, {
        indptr,
        indices,
        data,
        input: x,
        output: batch * rows,
      });
      const adjoint = await applyOperator(backend, sparseAdjoint, parameters, {
        ...structure,
        data,
        input: y,
        output: batch * columns,
      });
      const difference = Math.abs(dot(forward.output, y) - dot(x, adjoint.output));
      expect(difference).toBeLessThanOrEqual((single ? 1e-5 : 1e-12) * norm(forward.output) * norm(y));
      expect(norm(adjoint.output)).toBeGreaterThan(1);
    });

    it('has its columns scaled in place: (H diag s) x = H (s ∘ x)', async () => {
      const scale = spread(columns, 311);
      // Room for more entries than there are: what lies behind the last stays.
      const room = nonzeros + 70;
      const spare = Float64Array.from({ length: room }, (_, entry) => (entry < nonzeros ? data[entry] : 0.5));
      const scaled = await applyOperator(
        backend,
        columnScaling,
        { ...parameters, nonzeros: room },
        { indptr, indices, data: spare, scale },
      );
      const expected = spare.map((value, entry) => (entry < nonzeros ? value * scale[indices[entry]] : value));
      // Two roundings of the factors and one of the product.
      expect(scaled.data).toBeClose(expected, { relative: single ? 2e-7 : 0 });
    });

    it('multiplies a matrix that interpolates', async () => {
      const points = { x: [1.5, 6, 0.25], y: [2.5, 4, 0], component: [0, 2, 1] };
      const h = interpolation(bounded, points);
      const state = flow(35);
      const { output } = await applyOperator(
        backend,
        sparseProduct,
        { rows: 3, columns: 105, nonzeros: 12, batch: 1 },
        { ...h, input: state, output: 3 },
      );
      const expected = [
        (state[15] + state[16] + state[22] + state[23]) / 4,
        state[70 + 34],
        0.75 * state[35] + 0.25 * state[36],
      ];
      expect(output).toBeClose(expected, { relative: single ? 5e-7 : 1e-15 });
    });
  });

  describe('observe', () => {
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
        observe,
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
        observe,
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

  describe('tangent linear', () => {
    const plane = 35;
    const names = ['state1', 'h', 'u', 'v', 'speed', 'eta', 'speed'];
    const observations = names.length;
    const variables = names.map(observedVariable);
    const stencil = bilinearStencil(
      bounded,
      [0.5, 1.25, 3.5, 4.75, 5.5, 2.1, 0.3],
      [0.5, 3.75, 2, 0.25, 3.9, 1.4, 2.6],
    );
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
      const result = await applyOperator(backend, linearise, shape, {
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
      return (await applyOperator(backend, observe, { ...shape, batch: 1 }, fields)).output;
    };
    const ones = new Float64Array(observations).fill(1);

    it('is what H does to a small change (Taylor): the remainder falls as the square of the step', async () => {
      const state = flow(plane);
      const change = spread(3 * plane, 900);
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
      const data = await tangentAt(flow(plane), spread(observations, 5).map(Math.abs));
      const x = spread(3 * plane, 60);
      const y = spread(observations, 70);
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

  it('measures the truth with an error, or takes what is given', async () => {
    const { values } = await applyOperator(
      backend,
      measurement,
      { observations: 70 },
      {
        observed: Float64Array.from({ length: 70 }, (_, j) => j),
        normal: Float64Array.from({ length: 70 }, (_, j) => (j % 4 === 0 ? 2 : -1)),
        term: new Float64Array(70).fill(0.25),
        isGiven: Uint32Array.from({ length: 70 }, (_, j) => j % 2),
        values: 70,
      },
    );
    expect(values).toBeClose(
      Array.from({ length: 70 }, (_, j) => (j % 2 === 1 ? 0.25 : j + (j % 4 === 0 ? 0.5 : -0.25))),
      { absolute: 0 },
    );
  });

  describe('innovation and quality control', () => {
    it('measures departures, and nothing where there is no observation', async () => {
      const { innovation: d, scaled } = await applyOperator(
        backend,
        innovation,
        { observations: 4 },
        {
          values: [1.5, 2, NaN, -1],
          observed: [1, 4, 3, NaN],
          inverseErrorStd: [2, 0.5, 0, 0],
          innovation: 4,
          scaled: 4,
        },
      );
      expect(d).toBeClose([0.5, -2, 0, 0], { absolute: 0 });
      expect(scaled).toBeClose([1, -1, 0, 0], { absolute: 0 });
    });

    it('rejects beyond n standard deviations of innovation, keeps the rest as it is', async () => {
      // σₒ = 0.5, σ_b² = 2: √(0.25 + 2) = 1.5, so that 3 standard deviations are 4.5.
      const { effective } = await applyOperator(
        backend,
        qualityControl,
        { observations: 67, sharpest: 1e6 },
        {
          innovation: Float64Array.from({ length: 67 }, (_, j) => [4.4, -4.4, 4.6, -4.6, 0, 100, 100][j % 7]),
          inverseErrorStd: Float64Array.from({ length: 67 }, (_, j) => (j % 7 === 5 ? 0 : 2)),
          variance: new Float64Array(67).fill(2),
          // The last of each seven keeps whatever comes.
          threshold: Float64Array.from({ length: 67 }, (_, j) => (j % 7 === 6 ? 0 : 3)),
          effective: 67,
        },
      );
      const expected = Float64Array.from({ length: 67 }, (_, j) => [2, 2, 0, 0, 2, 0, 2][j % 7]);
      expect(effective).toBeClose(expected, { absolute: 0 });
    });

    it('takes no observation for sharper than the precision can tell', async () => {
      // σ_b = 0.5: r is kept up to 300/0.5, or 300/|d|; where the members agree with each other and with it, it is what it is.
      const { effective } = await applyOperator(
        backend,
        qualityControl,
        { observations: 5, sharpest: 300 },
        {
          innovation: [0, 0, 0, 0, -2],
          inverseErrorStd: [599, 1e4, 1e12, 1e12, 1e12],
          variance: [0.25, 0.25, 0.25, 0, 0.25],
          threshold: new Float64Array(5),
          effective: 5,
        },
      );
      expect(effective).toBeClose([599, 600, 600, Math.fround(1e12), 150], { relative: 1e-6 });
    });
  });
});
