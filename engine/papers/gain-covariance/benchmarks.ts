/** P_HT of the stochastic EnKF at the size of [gain-gpu]. */
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { type Benchmark, type Sizes, type PublishedFigure, someNumbers, openOperator } from '../../benchmarks/index.ts';
import { PUBLISHED_GAIN } from './published.ts';

interface Size {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  readonly observations: number;
  /** Entries in a row of H. */
  readonly perRow: number;
  /** Half-width of the taper, cells. */
  readonly halfWidthCells: number;
  readonly published?: readonly PublishedFigure[];
}

function covariance({ n, members, observations, perRow, halfWidthCells, published = [] }: Size): Benchmark {
  const cells = n * n;
  return {
    suite: 'gain-covariance',
    name: `gain-covariance-${cells}x${members}-m${observations}`,
    table: 'P_HT',
    parameters: { n, members, observations },
    published,
    open: (backend) => {
      const grid = { nx: n, ny: n, periodicX: false, periodicY: false };
      const taper = taperRow({ ...grid, halfWidthCells });
      const nonzeros = observations * perRow;
      const places = someNumbers(nonzeros, cells / 2, 4);
      const indices = Uint32Array.from(places, (place) => Math.floor(place + cells / 2));
      for (let row = 0; row < observations; row++) indices.subarray(row * perRow, (row + 1) * perRow).sort();
      return openOperator(
        backend,
        gainCovariance,
        {
          ...grid,
          variables: 1,
          members,
          firstObservation: 0,
          observations,
          nonzeros,
          reachX: taper.reachX,
          reachY: taper.reachY,
        },
        {
          arrays: {
            anomalies: someNumbers(members * cells, 1, 5),
            taperRow: taper.row,
            indptr: Uint32Array.from({ length: observations + 1 }, (_, row) => row * perRow),
            indices,
            data: someNumbers(nonzeros, 1, 6),
            output: observations * cells,
          },
          output: 'output',
        },
      );
    },
  };
}

const published = { n: 128, members: 64, observations: 129, perRow: 254, halfWidthCells: 9.02 };

/** As published; with as many members again, and with as many observations again. */
export const gainCovarianceBenchmarks: Sizes = {
  usual: [covariance({ ...published, published: PUBLISHED_GAIN })],
  papers: [covariance({ ...published, members: 128 }), covariance({ ...published, observations: 258 })],
  quick: [covariance({ n: 16, members: 8, observations: 9, perRow: 5, halfWidthCells: 2 })],
};
