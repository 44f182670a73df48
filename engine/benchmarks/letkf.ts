/** The whole LETKF analysis of one variable on n × n cells, with nine observations in reach of a cell. */
import { letkf } from '../operators/letkf/index.ts';
import { localObservations } from '../operators/localisation/index.ts';
import type { Benchmark } from './benchmark.ts';
import { smoothEnsemble, someNumbers } from './inputs.ts';
import { openOperator } from './operator-workload.ts';
import { letkfPartBenchmarks } from './letkf-parts/index.ts';
import { publishedAnalysis, publishedEigenproblems } from './published/index.ts';
import type { Sizes } from './sizes.ts';

/** Cells from one observation to the next; within twice the half-width of a cell lie three by three of them at most. */
const STRIDE = 4;
const HALF_WIDTH = 3;
const LARGEST = 9;
const OBSERVATION_ERROR = 0.3;

function analysis(n: number, members: number): Benchmark {
  const published = members === 32 ? [...publishedEigenproblems(n * n), ...publishedAnalysis(n)] : [];
  return {
    suite: 'letkf',
    name: `letkf-${n}-k${members}-l${LARGEST}`,
    table: 'LETKF: the whole analysis',
    parameters: { n, k: members, ℓ: LARGEST },
    published,
    comparesWithOneThread: publishedAnalysis(n).length > 0,
    cellWork: { series: `letkf-k${members}`, cells: n * n * members },
    open: (backend) => {
      const perSide = Math.floor(n / STRIDE);
      const observations = perSide * perSide;
      const x = new Float64Array(observations).map((_, o) => STRIDE / 2 + STRIDE * (o % perSide));
      const y = new Float64Array(observations).map((_, o) => STRIDE / 2 + STRIDE * Math.floor(o / perSide));
      const inverseErrorStd = new Float64Array(observations).fill(1 / OBSERVATION_ERROR);
      const grid = { nx: n, ny: n, periodicX: false, periodicY: false };
      const ensemble = smoothEnsemble(n, members);
      const observedEnsemble = new Float64Array(members * observations).map((_, at) => {
        const o = at % observations;
        return ensemble[(Math.floor(at / observations) * n + y[o]) * n + x[o]];
      });
      const local = localObservations(grid, HALF_WIDTH, x, y, inverseErrorStd);
      return openOperator(
        backend,
        letkf,
        {
          ...grid,
          variables: 1,
          members,
          observations,
          halfWidthCells: HALF_WIDTH,
          inflation: 1.05,
          localCapacity: local.largest,
          form: 'auto',
        },
        {
          arrays: {
            ensemble,
            analysis: ensemble.length,
            observedEnsemble,
            values: someNumbers(observations, 1, 3),
            inverseErrorStd,
            positionX: x,
            positionY: y,
            binStart: local.binStart,
            binObservations: local.binObservations,
          },
          output: 'analysis',
        },
      );
    },
  };
}

/** The whole analysis, and the parts of it that were published. */
export const letkfBenchmarks: Sizes = {
  usual: [analysis(256, 32), analysis(192, 32), analysis(512, 32)],
  papers: [
    ...[64, 128, 1024].map((n) => analysis(n, 32)),
    ...letkfPartBenchmarks(192, 32),
    ...letkfPartBenchmarks(256, 32),
  ],
  quick: [analysis(32, 12), ...letkfPartBenchmarks(20, 12)],
};
