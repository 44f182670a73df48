/** The paper [magic-filter], and what its figures ask a backend. */
import type { Backend } from '../../compute/backend.ts';
import { operatorResult } from '../../benchmarks/index.ts';
import type { Paper } from '../paper.ts';
import { INVERSE_MAGIC_FILTER, MAGIC_FILTER } from './benchmarks.ts';
import { filterPasses } from './pass/index.ts';
import { QUOTED } from './published.ts';

export { convolutionBenchmarks } from './benchmarks.ts';
export { quickestPass } from './published.ts';
export { tuningSurface, type Surface, type SurfaceAnswer, type SurfaceQuestion } from './surface.ts';

export const separableConvolutionPaper: Paper = {
  id: 'separable-convolution',
  subject: 'Separable three-dimensional convolutions',
  authors: ['Videau', 'Marangozova-Martin', 'Genovese', 'Deutsch'],
  publication: 'RR-LIG-032, 2013',
  key: 'magic-filter',
  suite: 'convolution',
  summary:
    'The magic filter of a wavelet code convolves a volume with 16 taps along each axis. Each pass writes its result transposed, so that all three read along the fastest axis; a generator makes many variants of the pass, and the fastest is measured.',
  quoted: QUOTED,
};

export interface PassesQuestion {
  /** n */
  readonly side: number;
  /** [x][y][z], periodic. [n³] */
  readonly volume: Float64Array;
}

export interface PassesAnswer {
  /** The volume, after each of three passes forward, and after each of three of the inverse; `axesAfter` gives the order of each in memory. [7][n³] */
  readonly stages: readonly Float64Array[];
}

type Axis = 'x' | 'y' | 'z';

const ORDERS = [
  ['x', 'y', 'z'],
  ['z', 'x', 'y'],
  ['y', 'z', 'x'],
] as const;

/** @returns the axes of the volume after so many passes, the fastest last: each pass filters along the last and writes it first */
export function axesAfter(passes: number): readonly [Axis, Axis, Axis] {
  return ORDERS[passes % 3];
}

/**
 * A volume after each pass of the magic filter [magic-filter], three forward and three of the inverse, turned as the passes write it.
 *
 * Filters a volume forward and back, pass by pass. @throws LimitError if the backend cannot hold it
 */
export async function convolutionPasses(backend: Backend, { side, volume }: PassesQuestion): Promise<PassesAnswer> {
  const stages = [volume];
  for (const filter of [MAGIC_FILTER, INVERSE_MAGIC_FILTER]) {
    for (let pass = 0; pass < 3; pass++) {
      const filtered = await operatorResult(
        backend,
        filterPasses.real,
        { n1: side, n2: side, n3: side, axes: 1, transposed: true, ...filter },
        { arrays: { input: stages[stages.length - 1], output: side ** 3 }, output: 'output' },
      );
      stages.push(filtered);
    }
  }
  return { stages };
}
