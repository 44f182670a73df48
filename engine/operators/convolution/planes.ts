/** The operator `separableConvolution2d`: a filter along x and another along y, on each field of a batch. */
import type { Cost, Operator } from '../../compute/backend.ts';
import { bandOfTaps, transposeBand } from './band.ts';
import type { Band, Taps } from './band.ts';
import { linesAlong } from './lines.ts';
import type { Lines } from './lines.ts';
import { planesReference } from './reference.ts';
import { checkCount, checkTaps } from './validation.ts';

export interface SeparableConvolution2dParameters {
  /** Each field is [ny, nx], x fastest. */
  readonly nx: number;
  readonly ny: number;
  /** Number of fields, one after another. */
  readonly batch: number;
  readonly tapsX: Taps;
  readonly tapsY: Taps;
  /** What lies outside: zero, or the field again. */
  readonly boundaryX: 'zero' | 'periodic';
  readonly boundaryY: 'zero' | 'periodic';
  /** Apply the adjoint: every weight at the negative offset. */
  readonly transpose: boolean;
}

/** Both of batch · ny · nx elements, and not the same field. */
export type SeparableConvolution2dFields = { readonly input: 'real'; readonly output: 'real' };

/** One pass: a band applied to all lines along an axis. */
export interface Pass {
  readonly lines: Lines;
  readonly band: Band;
}

/**
 * The passes in the order they are made: x then y, and y then x for the adjoint.
 *
 * @throws LimitError when a count is not a positive integer, or taps are not usable
 */
export function planesPasses(parameters: SeparableConvolution2dParameters): readonly [Pass, Pass] {
  const { nx, ny, batch, tapsX, tapsY, boundaryX, boundaryY, transpose } = parameters;
  for (const name of ['nx', 'ny', 'batch'] as const) checkCount('separableConvolution2d', name, parameters[name]);
  checkTaps('separableConvolution2d', 'tapsX', tapsX);
  checkTaps('separableConvolution2d', 'tapsY', tapsY);
  const alongX = bandOfTaps(nx, tapsX, boundaryX === 'periodic');
  const alongY = bandOfTaps(ny, tapsY, boundaryY === 'periodic');
  const x = { lines: linesAlong(batch * ny, nx, 1), band: transpose ? transposeBand(alongX) : alongX };
  const y = { lines: linesAlong(batch, ny, nx), band: transpose ? transposeBand(alongY) : alongY };
  return transpose ? [y, x] : [x, y];
}

/** Two passes, each of which reads and writes the fields once; a multiplication and an addition a tap and point. */
function cost(parameters: SeparableConvolution2dParameters, elementBytes: number): Cost {
  const [first, second] = planesPasses(parameters);
  const points = parameters.nx * parameters.ny * parameters.batch;
  return {
    bytes: 2 * 2 * points * elementBytes,
    flops: 2 * (first.band.width + second.band.width) * points,
  };
}

export const separableConvolution2d: Operator<SeparableConvolution2dParameters, SeparableConvolution2dFields> = {
  name: 'separable-convolution-2d',
  fields: { input: 'real', output: 'real' },
  cost,
  reference: (parameters) => planesReference(parameters, planesPasses(parameters)),
  webgpu: () => import('./webgpu-planes.ts'),
};
