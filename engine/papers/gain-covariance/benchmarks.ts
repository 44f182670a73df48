/** P_HT of the stochastic EnKF at the size of [gain-gpu]. */
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import {
  someNumbers,
  openOperator,
  IN_SECONDS,
  type Benchmark,
  type Sizes,
  type PublishedFigure,
} from '../../benchmarks/index.ts';
import { GAIN_STEPS, gainSteps, type GainStep } from './steps/index.ts';

const WITH_FILES = 'includes 1 to 2 s of reading and writing CSV files';

function seconds(value: number, hardware: string, includes: string): PublishedFigure {
  return { ...IN_SECONDS, value, hardware, includes, source: 'Liu, Liang, Li [gain-gpu]' };
}

/** What [gain-gpu] has of P_HT with 16384 cells, 64 members and 129 observations. */
const PUBLISHED_GAIN: readonly PublishedFigure[] = [
  seconds(9, 'GPU, optimised', WITH_FILES),
  seconds(17, 'CPU, Python', 'includes the import from the .sdb file'),
  seconds(20, 'GPU, basic', WITH_FILES),
  seconds(60, 'CPU, Butala’s sequential code', 'about 1 minute, whether with files is not said'),
  seconds(3600, 'CPU, the authors’ sequential code', 'more than 1 hour, whether with files is not said'),
];

/** What a step saved over the one before, per cent of the time. */
const SAVED: Readonly<Partial<Record<GainStep, number>>> = { rows: 5, transposed: 15, 'one launch': 15 };

/** @returns what [gain-gpu] says that a step saved; nothing that a time of ours could be divided by */
function publishedStep(step: GainStep): readonly PublishedFigure[] {
  const value = SAVED[step];
  if (value === undefined) return [];
  return [
    {
      value,
      unit: '% less time',
      hardware: 'GPU, about, over the step before',
      includes: 'of the whole call, files included',
      source: 'Liu, Liang, Li [gain-gpu]',
      largerIsBetter: true,
      measured: undefined,
    },
  ];
}

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

/** What distinguishes the rows of the table of steps. */
const STEPS = 'P_HT: from basic to optimised';

/** H: as many entries at random in each of its rows, which are in order. */
function observing(cells: number, observations: number, perRow: number) {
  const nonzeros = observations * perRow;
  const indices = Uint32Array.from(someNumbers(nonzeros, cells / 2, 4), (place) => Math.floor(place + cells / 2));
  for (let row = 0; row < observations; row++) indices.subarray(row * perRow, (row + 1) * perRow).sort();
  return {
    indptr: Uint32Array.from({ length: observations + 1 }, (_, row) => row * perRow),
    indices,
    data: someNumbers(nonzeros, 1, 6),
  };
}

/** A step of the optimisation, with C₂ whole in memory. */
function stepOf(step: GainStep, { n, members, observations, perRow, halfWidthCells }: Size): Benchmark {
  const cells = n * n;
  return {
    suite: 'gain-covariance',
    name: `gain-${step.replace(' ', '-')}-${cells}x${members}-m${observations}`,
    table: STEPS,
    parameters: { n, members, observations, step },
    published: publishedStep(step),
    open: (backend) =>
      openOperator(
        backend,
        gainSteps,
        { nx: n, ny: n, members, observations, nonzeros: observations * perRow, step },
        {
          arrays: {
            anomalies: someNumbers(members * cells, 1, 5),
            taperRow: taperRow({ nx: n, ny: n, periodicX: false, periodicY: false, halfWidthCells }).row,
            ...observing(cells, observations, perRow),
            output: observations * cells,
          },
          output: 'output',
        },
      ),
  };
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
            ...observing(cells, observations, perRow),
            output: observations * cells,
          },
          output: 'output',
        },
      );
    },
  };
}

const published = { n: 128, members: 64, observations: 129, perRow: 254, halfWidthCells: 9.02 };

/** A fourth of the published cells, of which C₂ would take a gigabyte. */
const inSteps = { ...published, n: 64 };

/** As published; with as many members again, and with as many observations again; and the steps, with ours. */
export const gainCovarianceBenchmarks: Sizes = {
  usual: [covariance({ ...published, published: PUBLISHED_GAIN })],
  papers: [
    covariance({ ...published, members: 128 }),
    covariance({ ...published, observations: 258 }),
    ...GAIN_STEPS.map((step) => stepOf(step, inSteps)),
    { ...covariance(inSteps), table: STEPS, parameters: { n: 64, members: 64, observations: 129, step: 'ours' } },
  ],
  quick: [covariance({ n: 16, members: 8, observations: 9, perRow: 5, halfWidthCells: 2 })],
};
