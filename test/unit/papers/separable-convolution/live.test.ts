/** A volume through the passes of the magic filter and back, on each backend. */
import { describe, expect, it } from 'vitest';
import { convolution, type ConvolutionParameters } from '../../../../engine/operators/convolution/index.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from '../../../../engine/papers/separable-convolution/benchmarks.ts';
import { axesAfter, convolutionPasses } from '../../../../engine/papers/separable-convolution/index.ts';
import { someNumbers } from '../../../../engine/benchmarks/benchmark.ts';
import { applyOperator, backends } from '../../../setup/backends.ts';

const SIDE = 20;
const POINTS = SIDE ** 3;

/** @returns the place in memory after so many passes */
function placeOf(passes: number, point: Readonly<Record<'x' | 'y' | 'z', number>>): number {
  return axesAfter(passes).reduce((place, axis) => place * SIDE + point[axis], 0);
}

function volumeOf(value: (x: number, y: number, z: number) => number): Float64Array {
  return Float64Array.from({ length: POINTS }, (_, at) =>
    value(Math.floor(at / SIDE ** 2), Math.floor(at / SIDE) % SIDE, at % SIDE),
  );
}

function largestDifference(a: Float64Array, b: Float64Array): number {
  return a.reduce((largest, value, at) => Math.max(largest, Math.abs(value - b[at])), 0);
}

describe.each(backends)('the passes of the convolution on $name', ({ open, precision }) => {
  const rounding = precision === 'float64' ? 1e-14 : 5e-6;

  it('filter along z, then y, then x, and turn the axes', async () => {
    const middle = { x: 9, y: 8, z: 11 };
    const { stages } = await convolutionPasses(await open(), {
      side: SIDE,
      volume: volumeOf((x, y, z) => Number(x === middle.x && y === middle.y && z === middle.z)),
    });
    const { taps, lower } = MAGIC_FILTER;
    const offsets = [-7, -1, 0, 1, 3, 8];
    // An impulse is spread by the filter in reverse.
    const tap = (offset: number): number => taps[lower - offset] ?? 0;
    for (const dz of offsets) {
      expect(stages[1][placeOf(1, { ...middle, z: (middle.z + dz) % SIDE })]).toBeCloseTo(tap(dz), 6);
      for (const dy of offsets) {
        const after2 = { ...middle, y: (middle.y + dy + SIDE) % SIDE, z: (middle.z + dz) % SIDE };
        expect(stages[2][placeOf(2, after2)]).toBeCloseTo(tap(dy) * tap(dz), 6);
        const after3 = { ...after2, x: (middle.x + dy + SIDE) % SIDE };
        expect(stages[3][placeOf(3, after3)]).toBeCloseTo(tap(dy) ** 2 * tap(dz), 6);
      }
    }
    const off = { ...middle, y: middle.y + 1 };
    expect(Math.abs(stages[1][placeOf(1, off)])).toBeLessThanOrEqual(rounding);
  });

  it('are the whole convolution after three, and after three more that with the inverse', async () => {
    const backend = await open();
    const volume = someNumbers(POINTS, 1, 5);
    const { stages } = await convolutionPasses(backend, { side: SIDE, volume });
    expect(stages).toHaveLength(7);
    const whole = async (input: Float64Array, filter: Pick<ConvolutionParameters, 'taps' | 'lower'>) => {
      const parameters = { n1: SIDE, n2: SIDE, n3: SIDE, ...filter };
      return (await applyOperator(backend, convolution, parameters, { input, output: POINTS })).output;
    };
    const forward = await whole(volume, MAGIC_FILTER);
    expect(stages[3]).toBeClose(forward, { absolute: rounding });
    expect(stages[6]).toBeClose(await whole(forward, INVERSE_MAGIC_FILTER), { absolute: rounding });
  });

  it('return a smooth volume, and a single point only in part', async () => {
    const backend = await open();
    const wave = (i: number): number => Math.cos((2 * Math.PI * i) / SIDE);
    const smooth = volumeOf((x, y, z) => wave(x) + wave(y) * wave(z));
    const there = await convolutionPasses(backend, { side: SIDE, volume: smooth });
    expect(largestDifference(there.stages[6], smooth)).toBeLessThan(1e-5);
    expect(largestDifference(there.stages[3], smooth)).toBeGreaterThan(1e-3);
    const point = volumeOf((x, y, z) => Number(x === 3 && y === 4 && z === 5));
    const { stages } = await convolutionPasses(backend, { side: SIDE, volume: point });
    // Along each axis the point keeps the sum of the squares of the taps.
    const kept = MAGIC_FILTER.taps.reduce((sum, tap) => sum + tap ** 2, 0) ** 3;
    expect(stages[6][(3 * SIDE + 4) * SIDE + 5]).toBeCloseTo(kept, 6);
    expect(1 - kept).toBeGreaterThan(0.001);
  });
});
