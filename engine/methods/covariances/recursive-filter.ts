/** B from repeated first-order recursive filters. */
import { bandGram } from '../../operators/convolution/index.ts';
import {
  filterBands,
  filterDeviation,
  recursiveFilter,
  recursiveFilterBand,
  recursiveFilterVariance,
} from '../../operators/recursive-filter/index.ts';
import { count } from '../../settings/index.ts';
import { covarianceSchema } from './covariance.ts';
import type { CovarianceDefinition, SharedCovariance } from './covariance.ts';

const schema = covarianceSchema(
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

export const recursiveFilterCovariance: CovarianceDefinition<Settings, typeof schema> = {
  kind: 'recursive-filter',
  title: 'Recursive filter',
  schema,
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
