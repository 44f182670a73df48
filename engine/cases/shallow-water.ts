/** Cases of the shallow-water model: some steps from h, hu, hv on [ny, nx] cells. */
import { z } from 'zod';
import type { RealField } from '../compute/backend.ts';
import { CaseError, DivergenceError, ScenarioError, describeProblem } from '../errors.ts';
import type { Propagator } from '../models/index.ts';
import { createShallowWater, SCHEMES, SCHEME_NAMES } from '../models/shallow-water/index.ts';
import type { ShallowWaterDescription } from '../models/shallow-water/index.ts';
import { assertAxes, assertShape, positive, caseOperator } from './case-operator.ts';
import type { CaseInputs, CaseProgress } from './case-operator.ts';

const boundaryKind = z.enum(['wall', 'periodic', 'open']);

const parameters = z.strictObject({
  scheme: z.enum(SCHEME_NAMES),
  dx: positive.default(1),
  dy: positive.default(1),
  dt: positive,
  gravity: positive.default(9.8),
  steps: z.int().min(0).max(10_000_000),
  boundary: z.union([boundaryKind, z.strictObject({ x: boundaryKind, y: boundaryKind })]).default('wall'),
  coriolis: z.strictObject({ f: z.number().default(0), beta: z.number().default(0) }).optional(),
  friction: z.strictObject({ manning: z.number().min(0).default(0), linear: z.number().min(0).default(0) }).optional(),
});

/** Steps between two words on how far a case is. */
const STEPS_TOGETHER = 512;

const VARIABLES = ['h', 'hu', 'hv'] as const;

/** The three variables one after the other. */
function joined({ h, hu, hv }: CaseInputs): Float64Array {
  const cells = h.data.length;
  const state = new Float64Array(3 * cells);
  [h, hu, hv].forEach(({ data }, index) => state.set(data, index * cells));
  return state;
}

function modelOf(given: z.output<typeof parameters>, { h, bathymetry }: CaseInputs) {
  const [ny, nx] = h.shape;
  const { scheme, dx, dy, dt, gravity, boundary, coriolis, friction } = given;
  const sides = typeof boundary === 'string' ? { x: boundary, y: boundary } : boundary;
  const description: ShallowWaterDescription = {
    scheme,
    grid: { nx, ny, dx, dy, periodicX: sides.x === 'periodic', periodicY: sides.y === 'periodic' },
    gravity,
    timeStep: dt,
    boundary: sides,
    ...(coriolis && { coriolis }),
    ...(friction && { manning: friction.manning, drag: friction.linear }),
    ...(bathymetry && { bed: bathymetry.data }),
  };
  try {
    return createShallowWater(description);
  } catch (error) {
    throw error instanceof ScenarioError ? new CaseError(error.problems.map(describeProblem).join('; ')) : error;
  }
}

function checkDepth({ file, data }: CaseInputs[string], dryAllowed: boolean): void {
  const index = data.findIndex((depth) => (dryAllowed ? depth < 0 : depth <= 0));
  if (index < 0) return;
  throw new CaseError(
    `${file}: element ${index} is ${data[index]}, allowed: a depth ${dryAllowed ? 'of at least' : 'above'} 0 m`,
  );
}

/** @throws DivergenceError naming the step since the case began */
async function takeSteps(
  propagator: Propagator,
  state: RealField,
  steps: number,
  progress: CaseProgress,
): Promise<void> {
  for (let done = 0; done < steps; done += STEPS_TOGETHER) {
    progress(done / steps);
    await propagator.advanceSteps(state, Math.min(STEPS_TOGETHER, steps - done));
    await propagator.check('the case').catch((error: unknown) => {
      if (!(error instanceof DivergenceError)) throw error;
      const { divergence } = error;
      throw new DivergenceError({ ...divergence, step: done + divergence.step }, 'the case');
    });
  }
}

export const shallowWaterCase = caseOperator({
  name: 'shallow-water',
  parameters,
  inputs: VARIABLES,
  optionalInputs: ['bathymetry'],
  outputs: VARIABLES,
  async run(backend, given, inputs, progress) {
    const { h, hu, hv, bathymetry } = inputs;
    assertAxes(h, [2], 'a field [ny, nx]');
    for (const other of [hu, hv, ...(bathymetry ? [bathymetry] : [])]) assertShape(other, h.shape, 'that of h');
    checkDepth(h, !SCHEMES[given.scheme].flatBottom);
    const model = modelOf(given, inputs);
    const initial = model.toState(joined(inputs));
    const state = backend.allocate('case.state', 'real', initial.length);
    try {
      backend.write(state, initial);
      const propagator = await model.prepare(backend, 1);
      try {
        await takeSteps(propagator, state, given.steps, progress);
        const final = model.fromState(await backend.read(state));
        const cells = h.data.length;
        return Object.fromEntries(
          VARIABLES.map((name, index) => [
            name,
            { shape: h.shape, data: final.slice(index * cells, (index + 1) * cells) },
          ]),
        );
      } finally {
        propagator.dispose();
      }
    } finally {
      state.dispose();
    }
  },
});
