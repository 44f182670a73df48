/** B from separable convolution with a sampled Gaussian. */
import {
  bandGram,
  bandOfTaps,
  gaussianTaps,
  separableConvolution2d,
  transposeBand,
} from '../../operators/convolution/index.ts';
import { filterDeviation } from '../../operators/recursive-filter/index.ts';
import { covarianceSchema } from './covariance.ts';
import type { CovarianceDefinition, SharedCovariance } from './covariance.ts';

/** Weight of a Gaussian's tails that its finite filter omits. */
const GAUSSIAN_TAIL = 1e-8;

const schema = covarianceSchema(
  'gaussian',
  {
    title: 'Gaussian',
    description: 'B from separable convolution with a sampled Gaussian.',
    gist: 'Separable convolution with a sampled Gaussian.',
  },
  {},
);

/** Σ of the squared weights that each of `n` points receives by symmetric taps. */
function convolutionVariance(n: number, taps: ArrayLike<number>, periodic: boolean): Float64Array {
  const reach = (taps.length - 1) / 2;
  return Float64Array.from({ length: n }, (_, i) => {
    const received = new Float64Array(n);
    Array.from(taps).forEach((weight, q) => {
      const from = i + q - reach;
      if (periodic) received[((from % n) + n) % n] += weight;
      else if (from >= 0 && from < n) received[from] += weight;
    });
    return received.reduce((sum, weight) => sum + weight * weight, 0);
  });
}

export const gaussianCovariance: CovarianceDefinition<SharedCovariance, typeof schema> = {
  kind: 'gaussian',
  title: 'Gaussian',
  schema,
  passes: () => 1,
  async prepare({ length }, backend, grid, planes) {
    const { nx, ny, dx, dy, periodicX, periodicY } = grid;
    const tapsX = gaussianTaps(filterDeviation(length, dx, nx), GAUSSIAN_TAIL);
    const tapsY = gaussianTaps(filterDeviation(length, dy, ny), GAUSSIAN_TAIL);
    const boundaryX = periodicX ? 'periodic' : 'zero';
    const boundaryY = periodicY ? 'periodic' : 'zero';
    const parameters = { nx, ny, batch: planes, tapsX, tapsY, boundaryX, boundaryY } as const;
    return {
      forward: await backend.prepare(separableConvolution2d, { ...parameters, transpose: false }),
      adjoint: await backend.prepare(separableConvolution2d, { ...parameters, transpose: true }),
      bands() {
        const [x, y] = [bandOfTaps(nx, tapsX, periodicX), bandOfTaps(ny, tapsY, periodicY)];
        return { x, y, adjointX: transposeBand(x), adjointY: transposeBand(y) };
      },
      gramX: bandGram(bandOfTaps(nx, tapsX, periodicX)),
      gramY: bandGram(bandOfTaps(ny, tapsY, periodicY)),
      varianceX: convolutionVariance(nx, tapsX.taps, periodicX),
      varianceY: convolutionVariance(ny, tapsY.taps, periodicY),
    };
  },
};
