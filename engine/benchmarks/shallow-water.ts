/** Steps of the shallow-water schemes: twenty a run, as a forecast makes them; and their linearised steps, one a run. */
import type { Backend } from '../compute/backend.ts';
import { CLOCK, NONE, STATUS, freshStatus, type LinearStepFields } from '../models/index.ts';
import {
  centralUpwind,
  followCentralUpwind,
  keptLayout,
  linearCentralUpwind,
} from '../models/shallow-water/central-upwind/index.ts';
import { linearFlatBottom } from '../models/shallow-water/flat-bottom/index.ts';
import { laxWendroff } from '../models/shallow-water/lax-wendroff/index.ts';
import { DAMPING, richtmyer } from '../models/shallow-water/richtmyer/index.ts';
import { mounds, openOperator, operatorResult, someNumbers } from './benchmark.ts';
import type { Benchmark, Workload, Sizes, PublishedFigure, OperatorInputs } from './benchmark.ts';

/** @param cellSteps cells times steps of one run */
function publishedShallowWater(cellSteps: number): readonly PublishedFigure[] {
  return [
    {
      value: 979,
      unit: 'Mcell-steps/s',
      largerIsBetter: true,
      hardware: 'P100',
      source: 'gpu-ocean, second-order rotating shallow water, RK2, 1024²',
      measured: (milliseconds) => cellSteps / milliseconds / 1000,
    },
  ];
}

const STEPS = 20;

interface Size {
  /** Cells a side. */
  readonly n: number;
  readonly members: number;
  readonly isPublished?: boolean;
}

function shared({ n, members }: Size) {
  return {
    nx: n,
    ny: n,
    dx: 1,
    dy: 1,
    gravity: 9.8,
    boundary: { x: 'wall', y: 'wall' },
    members,
    steps: STEPS,
    timeStep: 0.05,
    courant: 0.4,
    begins: false,
  } as const;
}

/** A state that went wrong is no longer stepped, which is quick. */
function inputsOf(
  { n, members }: Size,
  stillLevel: number,
): OperatorInputs<{ state: 'real'; status: 'index'; clock: 'real' }> {
  return {
    arrays: { state: mounds(n, members, stillLevel), status: freshStatus(), clock: new Float64Array(CLOCK.length) },
    output: 'state',
    changed: ['state', 'status'],
    verify: async (read) => {
      const status = await read('status');
      if (status[STATUS.badStep] !== NONE)
        throw new Error(`the water became unstable in step ${status[STATUS.badStep]}`);
    },
  };
}

function stepping(scheme: string, size: Size, open: (backend: Backend) => Promise<Workload>): Benchmark {
  const { n, members, isPublished = false } = size;
  return {
    suite: 'shallow-water',
    name: `${scheme}-${n}${members > 1 ? `-k${members}` : ''}`,
    table: `shallow water: ${scheme}, ${STEPS} steps`,
    parameters: { n, members },
    cellWork: { series: `${scheme}${members > 1 ? `-k${members}` : ''}`, cells: n * n * members * STEPS },
    published: isPublished ? publishedShallowWater(n * n * members * STEPS) : [],
    open,
  };
}

function laxWendroffSteps(size: Size): Benchmark {
  return stepping('lax-wendroff', size, (backend) =>
    openOperator(backend, laxWendroff, shared(size), inputsOf(size, 1)),
  );
}

function richtmyerSteps(size: Size): Benchmark {
  return stepping('richtmyer', size, (backend) => openOperator(backend, richtmyer, shared(size), inputsOf(size, 1)));
}

/** Rotating, on a flat bed one metre below the level that the surface is measured from. */
function rotatingBasin(n: number) {
  return {
    bed: new Float64Array(n * n).fill(-1),
    coriolis: { f: 1e-2, beta: 0 },
    manning: 0,
    dryDepth: 1e-6,
  };
}

function centralUpwindSteps(size: Size): Benchmark {
  return stepping('central-upwind', size, (backend) =>
    openOperator(backend, centralUpwind, { ...shared(size), ...rotatingBasin(size.n) }, inputsOf(size, 0)),
  );
}

const DIRECTIONS = ['tangent', 'adjoint'] as const;

type Direction = (typeof DIRECTIONS)[number];

/** The schemes for a flat bottom, as their linearised steps are prepared. */
const FLAT_BOTTOM = [
  { scheme: 'lax-wendroff', places: 'faces', damping: 0 },
  { scheme: 'richtmyer', places: 'corners', damping: DAMPING },
] as const;

function linearFlatBottomStep({ scheme, ...form }: (typeof FLAT_BOTTOM)[number], n: number, direction: Direction) {
  const parameters = { ...shared({ n, members: 1 }), ...form, direction };
  return linearStep(scheme, n, direction, (backend) =>
    openOperator(backend, linearFlatBottom, parameters, linearInputs(n, mounds(n, 1, 1))),
  );
}

/**
 * Water whose surface and current rise steadily along both axes: η, hu, hv, [variable][y][x]. Where they are level, a limiter is at a
 * kink, and another rounding takes another derivative.
 */
function inclined(n: number): Float64Array {
  const state = new Float64Array(3 * n * n);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const cell = j * n + i;
      state[cell] = (0.1 * (i + 0.7 * j)) / n;
      state[cell + n * n] = 0.05 + (0.1 * (i + 0.6 * j)) / n;
      state[cell + 2 * n * n] = 0.03 + (0.06 * (0.8 * i + j)) / n;
    }
  }
  return state;
}

/** The step is followed before it is timed, as in a minimisation, which linearises each one often. */
function linearCentralUpwindStep(n: number, direction: Direction) {
  return linearStep('central-upwind', n, direction, async (backend) => {
    const parameters = { ...shared({ n, members: 1 }), ...rotatingBasin(n), direction };
    const { arrays, output } = linearInputs(n, inclined(n));
    const kept = await operatorResult(backend, followCentralUpwind, parameters, followInputs(n));
    return openOperator(backend, linearCentralUpwind, parameters, { arrays: { ...arrays, kept }, output });
  });
}

function followCentralUpwindStep(n: number) {
  return linearStep('central-upwind', n, 'follow', (backend) =>
    openOperator(backend, followCentralUpwind, { ...shared({ n, members: 1 }), ...rotatingBasin(n) }, followInputs(n)),
  );
}

function followInputs(n: number): OperatorInputs<typeof followCentralUpwind.fields> {
  return { arrays: { before: inclined(n), kept: keptLayout({ nx: n, ny: n }).length }, output: 'kept' };
}

function linearInputs(n: number, before: Float64Array): OperatorInputs<LinearStepFields> {
  return { arrays: { before, input: someNumbers(3 * n * n, 1, 1), output: 3 * n * n }, output: 'output' };
}

/** @param part what is timed: the step is followed, or taken in a direction */
function linearStep(
  scheme: string,
  n: number,
  part: Direction | 'follow',
  open: (backend: Backend) => Promise<Workload>,
): Benchmark {
  return {
    suite: 'shallow-water',
    name: `${scheme}-${n}-${part}`,
    table: `shallow water: ${scheme}, one step of the ${part}`,
    parameters: { n },
    cellWork: { series: `${scheme}-${part}`, cells: n * n },
    stepForward: `${scheme}-${n}`,
    published: [],
    open,
  };
}

/** @returns the linearised steps of all schemes, both ways */
function linearStepsOn(n: number): readonly Benchmark[] {
  return [
    ...FLAT_BOTTOM.flatMap((form) => DIRECTIONS.map((direction) => linearFlatBottomStep(form, n, direction))),
    followCentralUpwindStep(n),
    ...DIRECTIONS.map((direction) => linearCentralUpwindStep(n, direction)),
  ];
}

const usual: readonly Benchmark[] = [
  laxWendroffSteps({ n: 512, members: 1 }),
  laxWendroffSteps({ n: 1024, members: 1, isPublished: true }),
  laxWendroffSteps({ n: 256, members: 32 }),
  richtmyerSteps({ n: 512, members: 1 }),
  centralUpwindSteps({ n: 512, members: 1 }),
  centralUpwindSteps({ n: 1024, members: 1, isPublished: true }),
  ...linearStepsOn(512),
];
const usualNames = new Set(usual.map(({ name }) => name));

/** Cells a side over which time per cell should not grow. */
const SIZES = [64, 128, 256, 512, 1024, 2048];

export const shallowWaterBenchmarks: Sizes = {
  usual,
  papers: [laxWendroffSteps, richtmyerSteps, centralUpwindSteps]
    .flatMap((steps) => SIZES.map((n) => steps({ n, members: 1, isPublished: n === 1024 })))
    .filter(({ name }) => !usualNames.has(name)),
  quick: [
    laxWendroffSteps({ n: 48, members: 1 }),
    laxWendroffSteps({ n: 24, members: 4 }),
    richtmyerSteps({ n: 48, members: 1 }),
    centralUpwindSteps({ n: 48, members: 1 }),
    ...linearStepsOn(48),
  ],
};
