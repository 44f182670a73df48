/** The separable convolution of planes as two passes: what all backends make of its parameters. */
import { bandOfTaps, transposeBand } from './band.ts';
import type { Band } from './band.ts';
import { linesAlong } from './lines.ts';
import type { Lines } from './lines.ts';
import type { SeparableConvolution2dParameters } from './parameters.ts';
import { checkCount, checkTaps } from './validation.ts';

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
