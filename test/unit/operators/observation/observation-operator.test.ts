import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { CaseError, LimitError } from '../../../../engine/index.ts';
import type { Backend } from '../../../../engine/index.ts';
import { createObservationOperator, observedVariable } from '../../../../engine/operators/observation/index.ts';
import type { ObservedModel, Observations } from '../../../../engine/operators/observation/index.ts';
import { allBackends } from '../../../setup/backends.ts';

const grid = { nx: 6, ny: 5, periodicX: true, periodicY: false };
const plane = 30;
/** A bed that is a plane, so that its interpolation between the first columns is exact. */
const bed = Float64Array.from({ length: plane }, (_, i) => -3 + 0.25 * (i % 6) + 0.5 * Math.floor(i / 6));
const bedAt = (x: number, y: number): number => -3 + 0.25 * x + 0.5 * y;
const shallow: ObservedModel = { grid, variables: ['h', 'hu', 'hv'], surface: 'depth', bed };

const code = (name: string): number => observedVariable(name).code;

function network(names: readonly string[], more: Partial<Observations> = {}): Observations {
  return {
    x: names.map((_, j) => 0.5 + (j % 4)),
    y: names.map((_, j) => 0.25 + (j % 3)),
    variable: names.map(code),
    values: names.map((_, j) => j + 1),
    inverseErrorStd: names.map(() => 2),
    ...more,
  };
}

/** η of the whole plane at `elevation`, momenta constant. */
function uniform(surface: 'depth' | 'elevation', elevation: number): Float64Array {
  const state = new Float64Array(3 * plane);
  for (let i = 0; i < plane; i++) state[i] = surface === 'depth' ? elevation - bed[i] : elevation;
  state.fill(0.6, plane, 2 * plane);
  state.fill(-0.8, 2 * plane);
  return state;
}

describe.each(allBackends)('observation operator on $name', ({ open, precision }) => {
  const single = precision === 'float32';
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  function realField(values: Float64Array | number) {
    const field = backend.allocate('test', 'real', typeof values === 'number' ? values : values.length);
    if (typeof values !== 'number') backend.write(field, values);
    return field;
  }

  it.each(['depth', 'elevation'] as const)(
    'sees the same of a state that keeps %s, for one member and for two',
    async (surface) => {
      const operator = await createObservationOperator(
        backend,
        { ...shallow, surface },
        { capacity: 9, members: [1, 2] },
      );
      const names = ['h', 'eta', 'hu', 'hv', 'u', 'v', 'speed'];
      operator.set(network(names));
      expect(operator.count).toBe(7);
      const both = new Float64Array(6 * plane);
      both.set(uniform(surface, 1), 0);
      both.set(uniform(surface, 1.5), 3 * plane);
      const state = realField(both);
      const output = realField(18);
      const first = realField(9);
      operator.observe(state, 2, output);
      operator.observe(state, 1, first);
      const expected = [1, 1.5].flatMap((elevation) => {
        const depths = names.map((_, j) => elevation - bedAt(0.5 + (j % 4), 0.25 + (j % 3)));
        return [depths[0], elevation, 0.6, -0.8, 0.6 / depths[4], -0.8 / depths[5], 1 / depths[6], 0, 0];
      });
      // A few roundings of numbers up to 4.
      expect(await backend.read(output)).toBeClose(expected, { absolute: single ? 2e-6 : 4e-15 });
      expect(await backend.read(first)).toBeClose(expected.slice(0, 9), { absolute: single ? 2e-6 : 4e-15 });
      for (const owned of [operator, state, output, first]) owned.dispose();
    },
  );

  it('pads to capacity and treats values that are not finite as absent', async () => {
    const operator = await createObservationOperator(backend, shallow, { capacity: 5, members: [1] });
    expect(operator.count).toBe(0);
    expect(await backend.read(operator.inverseErrorStd)).toBeClose(new Float64Array(5), { absolute: 0 });
    operator.set(network(['h', 'h', 'h'], { values: [1, NaN, 3] }));
    expect(await backend.read(operator.values)).toBeClose([1, 0, 3, 0, 0], { absolute: 0 });
    expect(await backend.read(operator.inverseErrorStd)).toBeClose([2, 0, 2, 0, 0], { absolute: 0 });
    expect(await backend.read(operator.positionX)).toBeClose([0.5, 1.5, 2.5, 0, 0], { absolute: 0 });
    expect(await backend.read(operator.positionY)).toBeClose([0.25, 1.25, 2.25, 0, 0], { absolute: 0 });
    operator.set(network(['h']));
    expect(await backend.read(operator.positionX)).toBeClose([0.5, 0, 0, 0, 0], { absolute: 0 });
    expect(await backend.read(operator.inverseErrorStd)).toBeClose([2, 0, 0, 0, 0], { absolute: 0 });
    operator.dispose();
  });

  it('sends only what has changed since the last cycle', async () => {
    const operator = await createObservationOperator(backend, shallow, { capacity: 5, members: [1] });
    const tangent = operator.linearised('test');
    const state = realField(uniform('depth', 1));
    operator.set(network(['h', 'u']));
    tangent.linearise(state);
    const write = vi.spyOn(backend, 'write');
    operator.set(network(['h', 'u'], { values: [5, 6] }));
    tangent.linearise(state);
    expect(write.mock.calls.map(([field]) => field.label)).toEqual(['observations.values']);
    write.mockClear();
    operator.set(network(['h', 'v'], { values: [5, 6] }));
    expect(write.mock.calls.map(([field]) => field.label)).not.toContain('observations.values');
    expect(write.mock.calls.map(([field]) => field.label)).toContain('observations.kind');
    write.mockRestore();
    for (const owned of [operator, tangent, state]) owned.dispose();
  });

  it('multiplies by the scaled tangent linear, whose padding and rejected rows are empty', async () => {
    const operator = await createObservationOperator(backend, shallow, { capacity: 5, members: [1] });
    const tangent = operator.linearised('test');
    operator.set(network(['h', 'hu', 'u']));
    const state = realField(uniform('depth', 1));
    const change = realField(new Float64Array(3 * plane).fill(0.01));
    const output = realField(5);
    const back = realField(3 * plane);
    tangent.linearise(state);
    tangent.product(change, output);
    const depth = 1 - bedAt(2.5, 2.25);
    const expected = [0.02, 0.02, (0.02 * (1 - 0.6 / depth)) / depth, 0, 0];
    expect(await backend.read(output)).toBeClose(expected, { absolute: single ? 1e-8 : 1e-16 });
    const effective = realField(Float64Array.from([2, 0, 0, 0, 0]));
    tangent.linearise(state, effective);
    backend.write(output, [1, 1, 1, 1, 1]);
    tangent.adjoint(output, back);
    const increments = await backend.read(back);
    // Observation 0, at (0.5, 0.25), touches four cells of h; all else is omitted.
    expect([...increments.entries()].filter(([, value]) => value !== 0).map(([i]) => i)).toEqual([0, 1, 6, 7]);
    expect(increments.reduce((sum, value) => sum + value)).toBeClose(2, { absolute: single ? 1e-6 : 1e-15 });
    // A network that moves takes its columns along.
    operator.set(network(['h'], { x: [5.5], y: [4] }));
    tangent.linearise(state);
    tangent.adjoint(output, back);
    const moved = await backend.read(back);
    expect([...moved.entries()].filter(([, value]) => value !== 0).map(([i]) => i)).toEqual([24, 29]);
    for (const owned of [operator, tangent, state, change, output, back, effective]) owned.dispose();
  });

  it('keeps the tangent linears of two owners apart, about different states and with different errors', async () => {
    const operator = await createObservationOperator(backend, shallow, { capacity: 2, members: [1] });
    const tangents = [operator.linearised('first'), operator.linearised('second')];
    operator.set(network(['u']));
    const states = [1, 2].map((elevation) => realField(uniform('depth', elevation)));
    const errors = [2, 5].map((inverse) => realField(Float64Array.from([inverse, 0])));
    const change = realField(Float64Array.from({ length: 3 * plane }, (_, i) => 0.01 * (1 + (i % 7))));
    const output = realField(2);
    const product = async (tangent: (typeof tangents)[number]): Promise<Float64Array> => {
      tangent.product(change, output);
      return backend.read(output);
    };
    const alone = [];
    for (const [i, tangent] of tangents.entries()) {
      tangent.linearise(states[i], errors[i]);
      alone.push(await product(tangent));
    }
    expect(await product(tangents[0])).toEqual(alone[0]);
    expect(await product(tangents[1])).toEqual(alone[1]);
    expect(alone[0]).not.toEqual(alone[1]);
    for (const owned of [operator, ...tangents, ...states, ...errors, change, output]) owned.dispose();
  });

  it('observes the components of any model', async () => {
    const ring = { grid: { nx: 40, ny: 1, periodicX: true, periodicY: true }, variables: ['x'] };
    const operator = await createObservationOperator(backend, ring, { capacity: 40, members: [1] });
    const x = Float64Array.from({ length: 40 }, (_, i) => i);
    const zeros = new Float64Array(40);
    operator.set({ x, y: zeros, variable: zeros, values: x, inverseErrorStd: zeros.map(() => 1) });
    const state = realField(x.map((i) => i * i));
    const output = realField(40);
    operator.observe(state, 1, output);
    expect(await backend.read(output)).toBeClose(
      x.map((i) => i * i),
      { absolute: 0 },
    );
    expect(() => operator.set({ x: [0], y: [0], variable: [code('u')], values: [1], inverseErrorStd: [1] })).toThrow(
      /u cannot be observed.*observe state0/,
    );
    expect(() => operator.set({ x: [0], y: [0], variable: [1], values: [1], inverseErrorStd: [1] })).toThrow(
      /state1 cannot be observed: the state has the components x/,
    );
    for (const owned of [operator, state, output]) owned.dispose();
  });

  it('refuses what it cannot take, and keeps what it had', async () => {
    const operator = await createObservationOperator(backend, shallow, { capacity: 2, members: [4] });
    const good = network(['h', 'hu']);
    operator.set(good);
    expect(() => operator.set(network(['h', 'h', 'h']))).toThrow(LimitError);
    expect(() => operator.set(network(['h', 'h'], { y: [0, 4.5] }))).toThrow(/observation 1 at \(x 1.5, y 4.5\)/);
    expect(() => operator.set(network(['h', 'h'], { inverseErrorStd: [1, -1] }))).toThrow(CaseError);
    expect(() => operator.set(network(['h', 'h'], { inverseErrorStd: [1] }))).toThrow(/1 entries of inverseErrorStd/);
    expect(operator.count).toBe(2);
    expect(await backend.read(operator.inverseErrorStd)).toBeClose([2, 2], { absolute: 0 });
    expect(await backend.read(operator.positionY)).toBeClose([0.25, 1.25], { absolute: 0 });
    const state = realField(1);
    expect(() => operator.observe(state, 3, state)).toThrow(/prepared for 4 members, not for 3/);
    for (const owned of [operator, state]) owned.dispose();
  });
});
