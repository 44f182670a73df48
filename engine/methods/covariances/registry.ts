/** The kinds of background-error covariance: by a recursive filter, and by convolution with a Gaussian. */
import {
  bandGram,
  bandOfTaps,
  gaussianTaps,
  separableConvolution2d,
  transposeBand,
} from '../../operators/convolution/index.ts';
import {
  filterDeviation,
  filterBands,
  recursiveFilter,
  recursiveFilterBand,
  recursiveFilterVariance,
} from '../../operators/recursive-filter/index.ts';
import { definitionsByKind, kindUnion, count } from '../../settings/index.ts';
import { covarianceSchema, type CovarianceDefinition, type SharedCovariance } from './covariance.ts';
import type { z } from 'zod';

const filterSchema = covarianceSchema(
  'recursive-filter',
  {
    title: 'Recursive filter',
    description: 'B from repeated first-order recursive filters, which tends to a Gaussian.',
    gist: 'Repeated first-order recursive filters.',
  },
  {
    iterations: count({
      title: 'Iterations',
      description: 'Passes of the filter; more make the correlation rounder.',
      minimum: 1,
      maximum: 1000,
      default: 4,
    }),
  },
);

type Settings = SharedCovariance & { readonly iterations: number };

/** B from repeated first-order recursive filters. */
const recursiveFilterCovariance: CovarianceDefinition<Settings, typeof filterSchema> = {
  kind: 'recursive-filter',
  title: 'Recursive filter',
  schema: filterSchema,
  passes: ({ iterations }) => iterations,
  async prepare({ length, iterations }, backend, grid, planes) {
    const { nx, ny, dx, dy, periodicX, periodicY } = grid;
    const sigmaX = filterDeviation(length, dx, nx);
    const sigmaY = filterDeviation(length, dy, ny);
    const boundaryX = periodicX ? 'periodic' : 'free';
    const boundaryY = periodicY ? 'periodic' : 'free';
    const ends = { boundaryX, boundaryY } as const;
    const parameters = { nx, ny, batch: planes, sigmaX, sigmaY, iterations, ...ends, form: 'auto' } as const;
    return {
      forward: await backend.prepare(recursiveFilter, { ...parameters, transpose: false }),
      adjoint: await backend.prepare(recursiveFilter, { ...parameters, transpose: true }),
      bands: () => filterBands(parameters),
      gramX: bandGram(recursiveFilterBand(nx, sigmaX, iterations, boundaryX)),
      gramY: bandGram(recursiveFilterBand(ny, sigmaY, iterations, boundaryY)),
      varianceX: recursiveFilterVariance(nx, sigmaX, iterations, boundaryX),
      varianceY: recursiveFilterVariance(ny, sigmaY, iterations, boundaryY),
    };
  },
};

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

/** B from separable convolution with a sampled Gaussian. */
const gaussianCovariance: CovarianceDefinition<SharedCovariance, typeof schema> = {
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

const COVARIANCES = [recursiveFilterCovariance, gaussianCovariance] as const;

export const covarianceField = kindUnion(COVARIANCES).prefault({ kind: 'recursive-filter' }).meta({
  title: 'Background-error covariance',
  description: 'How background errors are correlated, and how large they are.',
});

/** A background-error covariance of the scenario, with every default filled in. */
export type Covariance = z.output<typeof covarianceField>;

/** @returns the definition of a kind of covariance, for settings of that kind */
export const covarianceDefinition: (kind: string) => CovarianceDefinition =
  definitionsByKind<CovarianceDefinition>(COVARIANCES);
