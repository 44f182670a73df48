/**
 * The forecast of an ensemble and the LETKF analysis of it, on given numbers: what a cycle is without the truth, the noise and the
 * scores, which every program draws and keeps in its own way.
 */
import type { Backend, Benchmark, FieldKinds, FieldsOf, Field, Operator, Workload } from '../../../engine/index.ts';
import { mounds, someNumbers } from '../../../engine/benchmarks/benchmark.ts';
import { CLOCK, freshStatus } from '../../../engine/models/index.ts';
import { laxWendroff } from '../../../engine/models/shallow-water/lax-wendroff/index.ts';
import { letkf } from '../../../engine/operators/letkf/index.ts';
import { localObservations } from '../../../engine/operators/localisation/index.ts';
import { bilinearStencil, observation } from '../../../engine/operators/observation/index.ts';

interface Size {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  readonly steps: number;
}

/** Cells from one observation to the next; nine are in reach of a cell. */
const STRIDE = 4;
const HALF_WIDTH = 3;
const OBSERVATION_ERROR = 0.02;
const VARIABLES = 3;

/** Fields of one backend by name, made as they are asked for. */
function createFields(backend: Backend) {
  const fields = new Map<string, Field>();
  return {
    get<Kinds extends FieldKinds>(
      operator: Operator<never, Kinds>,
      contents: { readonly [Name in keyof Kinds]: readonly [field: string, content: ArrayLike<number> | number] },
    ): FieldsOf<Kinds> {
      const named = Object.entries(operator.fields).map(([name, kind]) => {
        const [label, content] = contents[name];
        const length = typeof content === 'number' ? content : content.length;
        const field = fields.get(label) ?? backend.allocate(label, kind, length);
        if (!fields.has(label) && typeof content !== 'number') backend.write(field, content);
        fields.set(label, field);
        return [name, field] as const;
      });
      return Object.fromEntries(named) as FieldsOf<Kinds>;
    },
    dispose: () => {
      for (const field of fields.values()) field.dispose();
    },
  };
}

async function open(backend: Backend, { n, members, steps }: Size): Promise<Workload> {
  const cells = n * n;
  const grid = { nx: n, ny: n, periodicX: false, periodicY: false };
  const perSide = Math.floor(n / STRIDE);
  const observations = perSide * perSide;
  const x = Float64Array.from({ length: observations }, (_, o) => STRIDE / 2 + STRIDE * (o % perSide));
  const y = Float64Array.from({ length: observations }, (_, o) => STRIDE / 2 + STRIDE * Math.floor(o / perSide));
  const inverseErrorStd = new Float64Array(observations).fill(1 / OBSERVATION_ERROR);
  const values = someNumbers(observations, 0.1, 3).map((value) => 1 + value);
  const local = localObservations(grid, HALF_WIDTH, x, y, inverseErrorStd);
  const state = mounds(n, members, 1);
  const stencil = bilinearStencil(grid, x, y);

  const stepping = {
    nx: n,
    ny: n,
    dx: 1,
    dy: 1,
    gravity: 9.8,
    boundary: { x: 'wall', y: 'wall' },
    members,
    steps,
    timeStep: 0.05,
    courant: 0.4,
    begins: false,
  } as const;
  const analysing = {
    ...grid,
    variables: VARIABLES,
    members,
    observations,
    halfWidthCells: HALF_WIDTH,
    inflation: 1.05,
    localCapacity: local.largest,
    form: 'auto',
  } as const;
  const observing = { observations, plane: cells, variables: VARIABLES, batch: members, dryDepth: 1e-6 };
  const [forecast, observe, analyse] = await Promise.all([
    backend.prepare(laxWendroff, stepping),
    backend.prepare(observation, observing),
    backend.prepare(letkf, analysing),
  ]);

  const fields = createFields(backend);
  const initial = backend.allocate('initial', 'real', state.length);
  backend.write(initial, state);
  const observed = ['observedEnsemble', members * observations] as const;
  const forecastFields = fields.get(laxWendroff, {
    state: ['state', state],
    status: ['status', freshStatus()],
    clock: ['clock', new Float64Array(CLOCK.length)],
  });
  const observedFields = fields.get(observation, {
    state: ['state', state],
    corners: ['corners', stencil.corners],
    weights: ['weights', stencil.weights],
    kind: ['kind', new Uint32Array(observations)],
    offset: ['offset', new Float64Array(observations)],
    output: observed,
  });
  const analysisFields = fields.get(letkf, {
    ensemble: ['state', state],
    analysis: ['analysis', state.length],
    observedEnsemble: observed,
    values: ['values', values],
    inverseErrorStd: ['inverseErrorStd', inverseErrorStd],
    positionX: ['positionX', x],
    positionY: ['positionY', y],
    binStart: ['binStart', local.binStart],
    binObservations: ['binObservations', local.binObservations],
  });
  return {
    kind: 'whole',
    cost: undefined,
    problem: {
      operator: 'forecast-analysis',
      parameters: { ...stepping, ...analysing },
      inputs: { state, values, inverseErrorStd, positionX: x, positionY: y },
      output: 'analysis',
    },
    reset: () => undefined,
    run() {
      // From the same state each time, so that what grows in this scheme does not show.
      backend.copy(initial, forecastFields.state);
      forecast.run(forecastFields);
      observe.run(observedFields);
      analyse.run(analysisFields);
    },
    result: async () => Float64Array.from(await backend.read(analysisFields.analysis)),
    verify: () => Promise.resolve(),
    dispose: () => {
      for (const owned of [forecast, observe, analyse, initial, fields]) owned.dispose();
    },
  };
}

export function forecastAnalysis(size: Size): Benchmark {
  const { n, members, steps } = size;
  return {
    suite: 'cycle',
    name: `forecast-analysis-${n}-k${members}-s${steps}`,
    published: [],
    open: (backend) => open(backend, size),
  };
}
