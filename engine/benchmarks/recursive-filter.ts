/** The Gaussian recursive filter on a signal and on planes. */
import { recursiveFilter } from '../operators/recursive-filter/index.ts';
import type { RecursiveFilterParameters } from '../operators/recursive-filter/index.ts';
import type { Benchmark } from './benchmark.ts';
import { someNumbers } from './inputs.ts';
import { openOperator } from './operator-workload.ts';
import { PUBLISHED_RECURSIVE_FILTER } from './published.ts';
import type { PublishedFigure } from './published.ts';

type Size = Pick<RecursiveFilterParameters, 'nx' | 'ny' | 'iterations' | 'form'> & { readonly sigma: number };

function filtering(
  name: string,
  { nx, ny, sigma, iterations, form }: Size,
  published: readonly PublishedFigure[] = [],
): Benchmark {
  const parameters: RecursiveFilterParameters = {
    nx,
    ny,
    batch: 1,
    sigmaX: sigma,
    sigmaY: sigma,
    iterations,
    form,
    transpose: false,
    boundaryX: 'free',
    boundaryY: 'free',
  };
  return {
    suite: 'recursive-filter',
    name: `recursive-filter-${name}`,
    published,
    open: (backend) =>
      openOperator(backend, recursiveFilter, parameters, {
        arrays: { input: someNumbers(nx * ny, 1, 1), output: nx * ny },
        output: 'output',
      }),
  };
}

function signal(length: number, iterations: number, form: Size['form'], published?: readonly PublishedFigure[]) {
  const suffix = form === 'sweeps' ? '-sweeps' : '';
  return filtering(
    `1d-${length}-k${iterations}${suffix}`,
    { nx: length, ny: 1, sigma: 2, iterations, form },
    published,
  );
}

function plane(n: number, iterations: number, sigma: number) {
  return filtering(`2d-${n}-k${iterations}`, { nx: n, ny: n, sigma, iterations, form: 'auto' });
}

/** The form that is quicker, and the literal sweeps that were published; σ = 8 and, as scenarios have it, 3. */
export const recursiveFilterBenchmarks: readonly Benchmark[] = [
  signal(100_000, 500, 'auto', PUBLISHED_RECURSIVE_FILTER),
  signal(100_000, 500, 'sweeps', PUBLISHED_RECURSIVE_FILTER),
  plane(1024, 10, 8),
  plane(256, 4, 3),
];

export const quickRecursiveFilterBenchmarks: readonly Benchmark[] = [
  signal(2000, 50, 'auto'),
  signal(2000, 50, 'sweeps'),
  plane(64, 4, 3),
];
