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
  overlappedBand,
  sweptShare,
  type Blocks,
} from '../../operators/recursive-filter/index.ts';
import { boundaryOf, count, definitionsByKind, kindUnion, optionalSection, pair } from '../../settings/index.ts';
import type { Problem, Situation } from '../../settings/index.ts';
import { covarianceSchema, sharedProblems, type CovarianceDefinition, type SharedCovariance } from './covariance.ts';
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
    decomposition: optionalSection(
      {
        title: 'Decomposition',
        description:
          'Blocks of the basin that are filtered by themselves, each extended by an overlap that is then dropped.',
      },
      {
        blocks: pair({
          title: 'Blocks',
          description: 'Along x and y. 1 and 1 without an overlap filter the basin whole.',
          integer: true,
          minimum: 1,
          maximum: 65_536,
          default: [1, 1],
        }),
        overlap: count({
          title: 'Overlap',
          description:
            'By which a block is extended on every side, zeros beyond a wall; too small a one leaves seams between blocks.',
          unit: 'cells',
          minimum: 0,
          maximum: 65_536,
          default: 0,
        }),
      },
    ),
  },
);

interface Decomposition {
  readonly blocks: readonly [alongX: number, alongY: number];
  readonly overlap: number;
}

type Settings = SharedCovariance & { readonly iterations: number; readonly decomposition: Decomposition };

/** The blocks along x and along y; undefined where the axis is filtered whole. */
function blocksOf({ blocks, overlap }: Decomposition, ends: readonly [x: string, y: string]) {
  const isWhole = overlap === 0 && blocks.every((count) => count === 1);
  return ends.map((end, axis) => (isWhole || end === 'periodic' ? undefined : { count: blocks[axis], overlap }));
}

/** The axes as the settings cut them, along x and along y. */
function cutAxes({ blocks, overlap }: Decomposition, { nx, ny }: Situation['grid']) {
  return [nx, ny].map((cells, axis) => ({ cells, count: blocks[axis], overlap }));
}

/** B from repeated first-order recursive filters. */
const recursiveFilterCovariance: CovarianceDefinition<Settings, typeof filterSchema> = {
  kind: 'recursive-filter',
  title: 'Recursive filter',
  schema: filterSchema,
  passes({ iterations, decomposition }, grid) {
    const shares = cutAxes(decomposition, grid).map((axis) => sweptShare(axis.cells, axis));
    return (iterations * (shares[0] + shares[1])) / 2;
  },
  // The blocks of the adjoint with their overlaps, before they are added; and all rows of the filters.
  memory({ decomposition }, grid) {
    const axes = decomposition.overlap > 0 ? cutAxes(decomposition, grid) : [];
    const plane = axes.reduce((sum, axis) => sum + grid.nx * grid.ny * sweptShare(axis.cells, axis), 0);
    const host = axes.reduce((sum, { cells, count, overlap }) => sum + 2 * cells * (cells / count + overlap), 0);
    return { plane, host };
  },
  problems({ decomposition }, { grid, model }) {
    const { x, y } = boundaryOf(model);
    return cutAxes(decomposition, grid).flatMap(({ cells, count: found }, axis) => {
      const name = ['x', 'y'][axis];
      const isPeriodic = [x, y][axis] === 'periodic';
      if (found <= (isPeriodic ? 1 : cells)) return [];
      const allowed = isPeriodic ? `1: the basin is periodic along ${name}` : `1 to ${cells}, the cells along ${name}`;
      return [{ path: ['decomposition', 'blocks', axis], message: `found ${found}, allowed: ${allowed}` }];
    });
  },
  async prepare(settings, backend, grid, planes) {
    const { length, iterations } = settings;
    const { nx, ny, dx, dy, periodicX, periodicY } = grid;
    const sigmaX = filterDeviation(length, dx, nx);
    const sigmaY = filterDeviation(length, dy, ny);
    const boundaryX = periodicX ? 'periodic' : 'free';
    const boundaryY = periodicY ? 'periodic' : 'free';
    const ends = { boundaryX, boundaryY } as const;
    const whole = { nx, ny, batch: planes, sigmaX, sigmaY, iterations, ...ends, form: 'auto' } as const;
    const [blocksX, blocksY] = blocksOf(settings.decomposition, [boundaryX, boundaryY]);
    const decomposition = {
      ...(blocksX && { blocks: blocksX.count }),
      ...(blocksY && { blocksY: blocksY.count }),
      overlap: settings.decomposition.overlap,
    };
    const parameters = blocksX || blocksY ? { ...whole, decomposition } : whole;
    const x = along(nx, sigmaX, iterations, boundaryX, blocksX);
    const y = along(ny, sigmaY, iterations, boundaryY, blocksY);
    return {
      forward: await backend.prepare(recursiveFilter, { ...parameters, transpose: false }),
      adjoint: await backend.prepare(recursiveFilter, { ...parameters, transpose: true }),
      bands() {
        if (!blocksX && !blocksY) return filterBands(whole);
        return { x: x.band, y: y.band, adjointX: transposeBand(x.band), adjointY: transposeBand(y.band) };
      },
      gramX: x.gram,
      gramY: y.gram,
      varianceX: x.variance,
      varianceY: y.variance,
    };
  },
};

/** The filter of an axis as a band A, and A·Aᵀ. */
function along(cells: number, sigma: number, iterations: number, boundary: 'free' | 'periodic', blocks?: Blocks) {
  const band = blocks
    ? overlappedBand(cells, sigma, iterations, blocks)
    : recursiveFilterBand(cells, sigma, iterations, boundary);
  const gram = bandGram(band);
  const variance = blocks
    ? Float64Array.from({ length: cells }, (_, i) => gram(i, i))
    : recursiveFilterVariance(cells, sigma, iterations, boundary);
  return { band, gram, variance };
}

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

export function covarianceProblems(settings: Covariance, situation: Situation): Problem[] {
  const own = covarianceDefinition(settings.kind).problems?.(settings, situation) ?? [];
  return [...sharedProblems(settings, situation), ...own];
}
