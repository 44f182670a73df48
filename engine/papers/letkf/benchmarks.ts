/** The LETKF on n × n cells, with nine observations in reach of a cell: its parts as published, and the whole analysis. */
import { letkf } from '../../operators/letkf/index.ts';
import { localObservations } from '../../operators/localisation/index.ts';
import type { ScenarioInput } from '../../scenario/index.ts';
import { nodesAlong, weightInterpolation } from '../../operators/weight-interpolation/index.ts';
import type { Backend, Field } from '../../compute/backend.ts';
import { CYCLES, openCycles, smoothEnsemble, someNumbers, openOperator } from '../../benchmarks/index.ts';
import type { Benchmark, Workload, Sizes } from '../../benchmarks/index.ts';
import {
  analysisCovariance,
  localInverseR,
  NEIGHBOURS,
  observationWeights,
  smoothAnomalies,
  weightedProduct,
  type LetkfPartsParameters,
} from './parts/index.ts';
import { publishedBeyond, publishedEigenproblems, publishedForms, publishedPart } from './published.ts';

/** Cells from one observation to the next; at most three by three of them are within twice the half-width of a cell. */
const STRIDE = 4;
const HALF_WIDTH = 3;
const LARGEST = 9;
const OBSERVATION_ERROR = 0.3;
const INFLATION = 1.05;

/** Heights of drops in the cycles that are timed. */
const LOW: [number, number] = [0.02, 0.1];

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
  const published =
    members === 32 ? [...publishedEigenproblems(n * n), ...publishedBeyond(n, 'not the whole analysis')] : [];
  return {
    suite: 'letkf',
    name: `letkf-${n}-k${members}-l${LARGEST}`,
    table: 'LETKF: the whole analysis',
    parameters: { n, k: members, ℓ: LARGEST },
    published,
    comparesWithOneThread: publishedBeyond(n, 'not the whole analysis').length > 0,
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

/** Cells over which the errors of the parts' observations are correlated. */
const CORRELATION_LENGTH = 1.5;

/** What is timed: the parts from one to another, those before them done once. */
interface Chain {
  readonly name: string;
  /** As a table names it. */
  readonly part: string;
  readonly from: number;
  readonly to: number;
  readonly form?: LetkfPartsParameters['form'];
}

const C: Chain = { name: 'c-full', part: 'C', from: 0, to: 0 };

const FORMS: readonly Chain[] = [
  { ...C, name: 'c-full-naive', part: `${C.part}, naive`, form: 'naive' },
  { ...C, name: 'c-full-workgroup', part: `${C.part}, in workgroup memory`, form: 'workgroup' },
  { ...C, name: 'c-full-members', part: `${C.part}, decomposed by members`, form: 'members' },
];

const PRODUCT: Chain = { name: 'product', part: 'P = C Y', from: 1, to: 1 };
const INVERSE: Chain = { name: 'inverse', part: 'P̃ᵃ from P', from: 2, to: 2 };
const C_AND_PRODUCT: Chain = { name: 'c-full-product', part: 'C and P', from: 0, to: 1 };
const ALL: Chain = { name: 'c-full-product-inverse', part: 'C, P and P̃ᵃ', from: 0, to: 2 };

async function openChain(
  backend: Backend,
  { from, to, form = 'members' }: Chain,
  n: number,
  members: number,
): Promise<Workload> {
  const parameters: LetkfPartsParameters = { nx: n, ny: n, members, inflation: INFLATION, form };
  const anomalies = smoothAnomalies(n, members);
  const inverseR = localInverseR({
    standardDeviation: OBSERVATION_ERROR,
    correlationLength: CORRELATION_LENGTH,
    halfWidth: HALF_WIDTH,
  });
  const owned: { dispose(): void }[] = [];
  const own = <One extends { dispose(): void }>(one: One): One => {
    owned.push(one);
    return one;
  };
  const dispose = (): void => {
    for (const one of owned.splice(0)) one.dispose();
  };
  const fieldOf = (name: string, length: number): Field<'real'> =>
    own(backend.allocate(`letkf-parts.${name}`, 'real', length));
  /** A matrix with so many columns for each member and cell; one element where the chain ends before the part that makes it. */
  const matrixOf = (name: string, columns: number, at: number): Field<'real'> =>
    fieldOf(name, at <= to ? columns * anomalies.length : 1);
  try {
    const fields = {
      anomalies: fieldOf('anomalies', anomalies.length),
      inverseR: fieldOf('inverseR', inverseR.length),
      c: matrixOf('c', NEIGHBOURS, 0),
      product: matrixOf('product', members, 1),
      covariance: matrixOf('covariance', members, 2),
    };
    const output = [fields.c, fields.product, fields.covariance][to];
    backend.write(fields.anomalies, anomalies);
    backend.write(fields.inverseR, inverseR);
    const parts = [
      own(await backend.prepare(observationWeights, parameters)),
      own(await backend.prepare(weightedProduct, parameters)),
      own(await backend.prepare(analysisCovariance, parameters)),
    ];
    const costs = [observationWeights, weightedProduct, analysisCovariance]
      .slice(from, to + 1)
      .map((operator) => operator.cost(parameters, backend.elementBytes));
    for (const part of parts.slice(0, from)) part.run(fields);
    const timed = parts.slice(from, to + 1);
    return {
      kind: 'operator',
      cost: {
        bytes: costs.reduce((sum, { bytes }) => sum + bytes, 0),
        flops: costs.reduce((sum, { flops }) => sum + flops, 0),
      },
      reset: () => undefined,
      run: () => {
        for (const part of timed) part.run(fields);
      },
      result: async () => Float64Array.from(await backend.read(output)),
      verify: async () => undefined,
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

/** C is one kernel on a processor, with the figures of all forms beside it, and on a GPU each form has a row. */
function parts(n: number, members: number): readonly Benchmark[] {
  const nameOf = ({ name }: Chain): string => `letkf-${name}-${n}-k${members}-l${NEIGHBOURS}`;
  const row = (chain: Chain, published: Benchmark['published']): Benchmark => ({
    suite: 'letkf',
    name: nameOf(chain),
    table: 'LETKF: C = YᵀR⁻¹ with R whole, P = C Y, P̃ᵃ = [(k − 1) I/ρ + P]⁻¹; ratios to one core',
    parameters: { n, k: members, ℓ: NEIGHBOURS, part: chain.part },
    published,
    comparesWithOneThread: true,
    open: (backend) => openChain(backend, chain, n, members),
  });
  return [
    { ...row(C, publishedForms(n)), backends: ['reference', 'wasm'] },
    ...FORMS.map((form): Benchmark => ({
      ...row(form, publishedPart(n, `c-${form.form ?? 'members'}`)),
      backends: ['webgpu'],
      variantOf: nameOf(C),
    })),
    row(PRODUCT, publishedPart(n, 'p')),
    row(INVERSE, []),
    row(C_AND_PRODUCT, publishedPart(n, 'c-p')),
    row(ALL, publishedBeyond(n, 'without the inverse')),
  ];
}

/**
 * The paper’s experiment as `scenarios/letkf-paper.json` has it, but with drops a fifth as high: what falls for more cycles than
 * that scenario has would fill the basin with waves.
 */
export const LETKF_EXPERIMENT: ScenarioInput = {
  version: 3,
  name: 'letkf-paper',
  seed: 1,
  grid: { nx: 256, ny: 256, dx: 1, dy: 1 },
  model: {
    scheme: 'lax-wendroff',
    timeStep: 0.02,
    gravity: 9.8,
    boundary: { x: 'wall', y: 'wall' },
    bathymetry: { kind: 'flat', depth: 1 },
  },
  truth: {
    initial: { kind: 'drops', count: 40, amplitude: LOW, width: 20, volume: 'displaced' },
    spinup: 4,
    forcing: { kind: 'drops', every: 5, count: 7, amplitude: LOW, width: 20, seenBy: 'each', volume: 'displaced' },
  },
  background: {
    initial: { kind: 'drops', count: 40, amplitude: LOW, width: 20, volume: 'displaced' },
    members: 32,
  },
  observations: [
    {
      name: 'gauges',
      variable: 'h',
      network: { kind: 'regular', stride: [1, 1], offset: [0, 0] },
      errorStandardDeviation: 0.02,
    },
  ],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 0.95 }, inflation: 1.05 }],
  experiment: { cycles: CYCLES, window: 0.4 },
};

const experiment: Benchmark = {
  suite: 'letkf',
  name: 'letkf-paper',
  table: 'LETKF: a cycle of the paper’s experiment, 20 steps, beside a free run',
  parameters: { n: 256, k: 32, ℓ: 9 },
  published: [],
  open: (backend) => openCycles(backend, 'letkf-paper', LETKF_EXPERIMENT),
};

/** The parts that were published, the whole analysis, and cycles of the experiment. */
export const letkfBenchmarks: Sizes = {
  usual: [analysis(256, 32), coarseAnalysis(256, 32, 4), analysis(192, 32), analysis(512, 32), experiment],
  papers: [...[64, 128, 1024].map((n) => analysis(n, 32)), ...parts(192, 32), ...parts(256, 32)],
  quick: [analysis(32, 12), coarseAnalysis(32, 12, 4), ...parts(20, 12)],
};
