/** The separable convolution of planes as two passes: what all backends make of its parameters. */
import { LimitError } from '../../errors.ts';
import { bandOfTaps, transposeBand } from './band.ts';
import type { Band, Taps } from './band.ts';
import { linesAlong } from './lines.ts';
import type { Lines } from './lines.ts';
import type { SeparableConvolution2dParameters } from './parameters.ts';

/** One pass: a band applied to all lines along an axis. */
export interface Pass {
  readonly lines: Lines;
  readonly band: Band;
}

/** The passes in the order they are made: x then y, and y then x for the adjoint. */
export function planesPasses(parameters: SeparableConvolution2dParameters): readonly [Pass, Pass] {
  const { nx, ny, batch, tapsX, tapsY, boundaryX, boundaryY, transpose } = parameters;
  const alongX = bandOfTaps(nx, tapsX, boundaryX === 'periodic');
  const alongY = bandOfTaps(ny, tapsY, boundaryY === 'periodic');
  const x = { lines: linesAlong(batch * ny, nx, 1), band: transpose ? transposeBand(alongX) : alongX };
  const y = { lines: linesAlong(batch, ny, nx), band: transpose ? transposeBand(alongY) : alongY };
  return transpose ? [y, x] : [x, y];
}

/** @throws LimitError when there are no taps, one is not finite, or `lower` does not point at a tap */
export function checkTaps(operator: string, name: string, { taps, lower }: Taps): void {
  if (taps.length === 0) throw new LimitError(`${operator}: ${name} is empty, at least one tap is needed`);
  const wrong = taps.findIndex((tap) => !Number.isFinite(tap));
  if (wrong >= 0) throw new LimitError(`${operator}: ${name}[${wrong}] is ${taps[wrong]}, taps must be finite numbers`);
  if (Number.isInteger(lower) && lower >= 0 && lower < taps.length) return;
  throw new LimitError(
    `${operator}: lower of ${name} is ${lower}, it must be an integer from 0 to ${taps.length - 1}: the index of the tap at offset 0`,
  );
}
