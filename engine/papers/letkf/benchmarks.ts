/** The whole LETKF analysis of one variable on n × n cells, with nine observations in reach of a cell. */
import { letkf } from '../../operators/letkf/index.ts';
import { localObservations } from '../../operators/localisation/index.ts';
import { nodesAlong, weightInterpolation } from '../../operators/weight-interpolation/index.ts';
import type { Backend } from '../../compute/backend.ts';
import {
  type Benchmark,
  type Workload,
  type Sizes,
  smoothEnsemble,
  someNumbers,
  openOperator,
} from '../../benchmarks/index.ts';
import { letkfPartBenchmarks } from './parts/index.ts';
import { publishedAnalysis, publishedEigenproblems } from './published.ts';

/** Cells from one observation to the next; at most three by three of them are within twice the half-width of a cell. */
const STRIDE = 4;
const HALF_WIDTH = 3;
const LARGEST = 9;
const OBSERVATION_ERROR = 0.3;
const INFLATION = 1.05;

const GRID = { periodicX: false, periodicY: false };

/** What is observed of an ensemble on n × n cells, in the order of the operator's fields. */
function observedOf(n: number, members: number) {
  const perSide = Math.floor(n / STRIDE);
  const observations = perSide * perSide;
  const positionX = new Float64Array(observations).map((_, o) => STRIDE / 2 + STRIDE * (o % perSide));
  const positionY = new Float64Array(observations).map((_, o) => STRIDE / 2 + STRIDE * Math.floor(o / perSide));
  const ensemble = smoothEnsemble(n, members);
  const observedEnsemble = new Float64Array(members * observations).map((_, at) => {
    const o = at % observations;
    return ensemble[(Math.floor(at / observations) * n + positionY[o]) * n + positionX[o]];
  });
  const inverseErrorStd = new Float64Array(observations).fill(1 / OBSERVATION_ERROR);
  const values = someNumbers(observations, 1, 3);
  return { ensemble, observed: { observedEnsemble, values, inverseErrorStd, positionX, positionY } };
}

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
      const grid = { nx: n, ny: n, ...GRID };
      const { ensemble, observed } = observedOf(n, members);
      const { positionX, positionY, inverseErrorStd } = observed;
      const local = localObservations(grid, HALF_WIDTH, positionX, positionY, inverseErrorStd);
      return openOperator(
        backend,
        letkf,
        {
          ...grid,
          variables: 1,
          members,
          observations: inverseErrorStd.length,
          halfWidthCells: HALF_WIDTH,
          inflation: INFLATION,
          localCapacity: local.largest,
          form: 'auto',
        },
        {
          arrays: {
            ensemble,
            analysis: ensemble.length,
            ...observed,
            binStart: local.binStart,
            binObservations: local.binObservations,
          },
          output: 'analysis',
        },
      );
    },
  };
}

/** The same with the weights of every fourth cell along each axis, and of those between by interpolation. */
function coarseAnalysis(n: number, members: number, every: number): Benchmark {
  return {
    suite: 'letkf',
    name: `letkf-${n}-k${members}-l${LARGEST}-every-${every}`,
    table: 'LETKF: the whole analysis',
    parameters: { n, k: members, ℓ: LARGEST, every },
    published: [],
    cellWork: { series: `letkf-k${members}-every-${every}`, cells: n * n * members },
    open: (backend) => openCoarse(backend, n, members, every),
  };
}

/** Two operators one after the other: the analysis of the identity at the nodes, and its weights at the cells. */
async function openCoarse(backend: Backend, n: number, members: number, every: number): Promise<Workload> {
  const { ensemble, observed } = observedOf(n, members);
  const nodes = nodesAlong(n, every, false);
  const grid = { nx: nodes.count, ny: nodes.count, ...GRID };
  const halfWidthCells = HALF_WIDTH / nodes.spacing;
  const [positionX, positionY] = [observed.positionX, observed.positionY].map((places) =>
    places.map((place) => place / nodes.spacing),
  );
  const { inverseErrorStd } = observed;
  const local = localObservations(grid, halfWidthCells, positionX, positionY, inverseErrorStd);
  const count = nodes.count ** 2;
  const identity = new Float64Array(members ** 2 * count).map((_, at) => {
    const [row, column] = [Math.floor(at / count / members), Math.floor(at / count) % members];
    return Number(row === column);
  });
  const weighing = await openOperator(
    backend,
    letkf,
    {
      ...grid,
      variables: members,
      members,
      observations: inverseErrorStd.length,
      halfWidthCells,
      inflation: INFLATION,
      localCapacity: local.largest,
      form: 'auto',
    },
    {
      arrays: {
        ensemble: identity,
        analysis: identity.length,
        ...observed,
        positionX,
        positionY,
        binStart: local.binStart,
        binObservations: local.binObservations,
      },
      output: 'analysis',
    },
  );
  await weighing.run();
  const weights = await weighing.result();
  const size = { nx: n, ny: n, variables: 1, members, ...GRID, nodesX: nodes, nodesY: nodes };
  const applying = await openOperator(backend, weightInterpolation, size, {
    arrays: { weights, ensemble, analysis: ensemble.length },
    output: 'analysis',
  }).catch((error: unknown) => {
    weighing.dispose();
    throw error;
  });
  return {
    kind: 'whole',
    cost: undefined,
    reset: () => undefined,
    async run() {
      await weighing.run();
      await applying.run();
    },
    result: () => applying.result(),
    verify: async () => undefined,
    dispose() {
      weighing.dispose();
      applying.dispose();
    },
  };
}

/** The whole analysis, and the parts of it that were published. */
export const letkfBenchmarks: Sizes = {
  usual: [analysis(256, 32), coarseAnalysis(256, 32, 4), analysis(192, 32), analysis(512, 32)],
  papers: [
    ...[64, 128, 1024].map((n) => analysis(n, 32)),
    ...letkfPartBenchmarks(192, 32),
    ...letkfPartBenchmarks(256, 32),
  ],
  quick: [analysis(32, 12), coarseAnalysis(32, 12, 4), ...letkfPartBenchmarks(20, 12)],
};
