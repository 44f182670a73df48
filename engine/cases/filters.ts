/** Cases of two filters: the recursive Gaussian filter and the separable convolution. */
import { z } from 'zod';
import type { Backend } from '../compute/backend.ts';
import { CaseError } from '../errors.ts';
import { recursiveFilter, type RecursiveFilterParameters } from '../operators/recursive-filter/index.ts';
import { assertAxes, transpose, iterations, positive, caseOperator, runOperator } from './case-operator.ts';
import type { CaseArray } from './case-operator.ts';
import { convolution } from '../operators/convolution/index.ts';

/** Cases of the separable periodic convolution of a volume. */
export const convolutionCase = caseOperator({
  name: 'convolution',
  parameters: z.strictObject({
    taps: z.array(z.number()).min(1),
    lower: z.int().min(0),
    boundary: z.literal('periodic').default('periodic'),
  }),
  inputs: ['volume'],
  outputs: ['volume'],
  async run(backend, { taps, lower }, { volume }) {
    assertAxes(volume, [3], 'a volume [n1, n2, n3]');
    if (lower >= taps.length) {
      throw new CaseError(`parameters.lower: found ${lower}, allowed: 0 to ${taps.length - 1}, the index of a tap`);
    }
    const [n1, n2, n3] = volume.shape;
    const parameters = { n1, n2, n3, taps, lower };
    const { output } = await runOperator(backend, convolution, parameters, {
      input: volume.data,
      output: volume.data.length,
    });
    return { volume: { shape: volume.shape, data: output } };
  },
});

const parameters = z.strictObject({
  sigma: positive,
  iterations,
  decomposition: z.enum(['none', 'overlapped']).default('none'),
  blocks: z.int().min(1).optional(),
  overlap: z.int().min(0).optional(),
});

type Given = z.output<typeof parameters>;

/** The operator's parameters for a field of free boundaries, with σ in grid points along both axes. */
export function filterParameters(
  { nx, ny, batch }: { readonly nx: number; readonly ny: number; readonly batch: number },
  { sigma, iterations: count }: Pick<Given, 'sigma' | 'iterations'>,
): RecursiveFilterParameters {
  return {
    nx,
    ny,
    batch,
    sigmaX: sigma,
    sigmaY: sigma,
    iterations: count,
    form: 'auto',
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
}

async function filter(
  backend: Backend,
  options: RecursiveFilterParameters,
  values: Float64Array,
): Promise<Float64Array> {
  const { output } = await runOperator(backend, recursiveFilter, options, { input: values, output: values.length });
  return output;
}

/** Signals of length `nx`, one after another, filtered each by itself. */
function filterRows(backend: Backend, nx: number, given: Given, values: Float64Array): Promise<Float64Array> {
  const { decomposition, blocks = 1, overlap = 0 } = given;
  const rows = filterParameters({ nx, ny: 1, batch: values.length / nx }, given);
  return filter(backend, decomposition === 'none' ? rows : { ...rows, decomposition: { blocks, overlap } }, values);
}

/**
 * What the filter leaves of a single point: the factor of an axis of one cell, which the operator, taking a field of one row
 * for a signal, does not apply.
 */
export async function singlePointGain(backend: Backend, given: Pick<Given, 'sigma' | 'iterations'>): Promise<number> {
  const [gain] = await filter(backend, filterParameters({ nx: 1, ny: 1, batch: 1 }, given), Float64Array.of(1));
  return gain;
}

function checkBlocks({ decomposition, blocks, overlap }: Given, { file, shape }: CaseArray): void {
  if (decomposition === 'none') return;
  for (const [name, value] of Object.entries({ blocks, overlap })) {
    if (value === undefined) throw new CaseError(`parameters.${name}: missing, decomposition "overlapped" needs it`);
  }
  const shortest = Math.min(...shape);
  if (blocks !== undefined && blocks > shortest) {
    throw new CaseError(`parameters.blocks: found ${blocks}, allowed: 1 to ${shortest}, the points of ${file}`);
  }
  const longest = Math.max(...shape);
  if (overlap !== undefined && overlap > longest) {
    const why = `the points of ${file}: a block cannot reach further`;
    throw new CaseError(`parameters.overlap: found ${overlap}, allowed: 0 to ${longest}, ${why}`);
  }
}

export const recursiveFilterCase = caseOperator({
  name: 'recursive-filter',
  parameters,
  inputs: ['signal'],
  outputs: ['signal'],
  async run(backend, given, { signal }) {
    assertAxes(signal, [1, 2], 'a signal [n] or a field [ny, nx]');
    checkBlocks(given, signal);
    const { shape } = signal;
    if (shape.length === 1) return { signal: { shape, data: await filterRows(backend, shape[0], given, signal.data) } };
    const [ny, nx] = shape;
    if (given.decomposition === 'none' && ny > 1) {
      const data = await filter(backend, filterParameters({ nx, ny, batch: 1 }, given), signal.data);
      return { signal: { shape, data } };
    }
    // Blocks are cut along x alone, so y has its turn as x; so has a single row, which has a y axis all the same.
    const alongX = await filterRows(backend, nx, given, signal.data);
    const alongY = await filterRows(backend, ny, given, transpose(alongX, ny, nx));
    return { signal: { shape, data: transpose(alongY, nx, ny) } };
  },
});
