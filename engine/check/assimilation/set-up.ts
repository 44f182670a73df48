/** What the assimilation tests share: small shallow-water states, observations of them, and one analysis by a real method. */
import type { z } from 'zod';
import { executeAnalysis, createMethod, membersOf, movedStates } from '../../methods/index.ts';
import type { AnalysisReport, ErrorBlock, MethodContext } from '../../methods/index.ts';
import { createShallowWater, type Model } from '../../models/index.ts';
import { createObservationOperator, observedVariable } from '../../operators/observation/index.ts';
import { between } from '../measures.ts';
import { methodSchema, type Method as MethodSettings } from '../../scenario/index.ts';
import type { Backend } from '../../compute/backend.ts';

/** Beyond every basin here: all weights of the localisation are 1 to the last bit. The largest that a scenario may ask for. */
export const NO_LOCALISATION = { halfWidth: 1e9 };

export const PHYSICS = { gravity: 9.81, coriolis: { f: 0.8, beta: 0 } };

export interface Basin {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX?: boolean;
  readonly periodicY?: boolean;
}

/** A rotating basin with cells of 2 m × 1.5 m over an uneven bottom, 1 m deep on average. Its state is η, hu, hv. */
export function basin({ nx, ny, periodicX = false, periodicY = false }: Basin): Model {
  return createShallowWater({
    scheme: 'central-upwind',
    grid: { nx, ny, dx: 2, dy: 1.5, periodicX, periodicY },
    gravity: PHYSICS.gravity,
    coriolis: PHYSICS.coriolis,
    timeStep: 'auto',
    boundary: { x: periodicX ? 'periodic' : 'wall', y: periodicY ? 'periodic' : 'wall' },
    bed: Float64Array.from(between(nx * ny, -1.2, -0.8, 'bed')),
  });
}

export function lengthOf({ grid, variables }: Model): number {
  return variables.length * grid.nx * grid.ny;
}

/** Observations on the host, one entry each. */
export interface Observed {
  /** Grid units. */
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly variable: readonly string[];
  readonly values: Float64Array;
  /** 0 where an observation is absent. */
  readonly inverseErrorStd: Float64Array;
  /** Standard deviations of quality control, 0 for none; none at all if omitted. */
  readonly threshold?: Float64Array;
  /** Those whose errors are correlated. */
  readonly correlated?: readonly ErrorBlock[];
  /** When each is made: 0 with the state that is analysed, from 1 on before it. All are 0 if omitted. */
  readonly moment?: Uint32Array;
}

/** The observations in another order. */
export function reordered(observed: Observed, order: readonly number[]): Observed {
  const pick = (values: Float64Array): Float64Array => Float64Array.from(order, (j) => values[j]);
  const { x, y, variable, values, inverseErrorStd, threshold } = observed;
  return {
    x: pick(x),
    y: pick(y),
    variable: order.map((j) => variable[j]),
    values: pick(values),
    inverseErrorStd: pick(inverseErrorStd),
    threshold: threshold && pick(threshold),
  };
}

/** The deviations σₒ of observations that are all there. */
export function deviationsOf({ inverseErrorStd }: Observed): Float64Array {
  return inverseErrorStd.map((r) => 1 / r);
}

/** Sets observations as the experiment would, and gives what every method needs around it. */
export async function contextOf(
  backend: Backend,
  model: Model,
  observed: Observed,
  members: number,
  seed = 1,
): Promise<MethodContext & { dispose(): void }> {
  const { grid, surface, bed, variables } = model;
  const capacity = observed.x.length;
  const seen = { grid, surface, bed, variables: variables.map(({ name }) => name) };
  const moments = observed.moment?.reduce((most, moment) => Math.max(most, moment), 0) ?? 0;
  const observations = await createObservationOperator(backend, seen, { capacity, members: [1, members], moments });
  observations.set({ ...observed, variable: observed.variable.map((name) => observedVariable(name).code) });
  const threshold = backend.allocate('threshold', 'real', capacity);
  backend.write(threshold, observed.threshold ?? new Float64Array(capacity));
  return {
    backend,
    model,
    observations,
    threshold,
    members,
    seed,
    ...PHYSICS,
    window: { seconds: 0, pace: 1, shares: [], repeat: () => Promise.resolve(() => Promise.resolve()) },
    positions: () => observed,
    dispose() {
      observations.dispose();
      threshold.dispose();
    },
  };
}

type MethodInput = z.input<typeof methodSchema>;
type VariationalMethod = Extract<MethodSettings, { kind: '3dvar' }>;
type VariationalInput = Extract<MethodInput, { kind: '3dvar' }>;
export type CovarianceInput = NonNullable<VariationalInput['covariance']>;

/** A method as a scenario writes it, with every default filled in. */
export function method(settings: MethodInput): MethodSettings {
  return methodSchema.parse(settings);
}

/** 3D-Var, iterated to the last digits unless stated otherwise. */
export function variational(
  covariance: CovarianceInput,
  minimisation: VariationalInput['minimisation'] = { tolerance: 1e-13, maxIterations: 200 },
): VariationalMethod {
  const settings = method({ kind: '3dvar', covariance, minimisation });
  if (settings.kind !== '3dvar') throw new Error(`found ${settings.kind} where 3D-Var was asked for`);
  return settings;
}

export interface Analysed {
  /** [members][variable][y][x] */
  readonly state: Float64Array;
  readonly report: AnalysisReport;
}

/**
 * One analysis by a method of the engine, as the experiment calls it.
 *
 * @param forecast [members][variable][y][x], one member for 3D-Var
 * @param earlier the states on the way to it, by moment from 1 on
 */
export async function analyse(
  backend: Backend,
  model: Model,
  settings: MethodSettings,
  forecast: Float64Array,
  observed: Observed,
  { seed = 1, cycle = 0, earlier = [] as readonly Float64Array[] } = {},
): Promise<Analysed> {
  const length = lengthOf(model);
  const members = forecast.length / length;
  const context = await contextOf(backend, model, observed, Math.max(2, members), seed);
  const carried = await createMethod(settings, context);
  if (carried.members !== membersOf(settings.kind, members))
    throw new Error(`${members} members are not what it takes`);
  try {
    earlier.forEach((state, index) => {
      backend.write(carried.state, state);
      carried.carried?.take();
      carried.departures.see(carried.state, index + 1);
    });
    backend.write(carried.state, forecast);
    carried.carried?.take();
    // The window of the context has no length.
    if (carried.beginning) backend.copy(movedStates(carried).state, carried.beginning);
    carried.departures.compute(carried.state);
    const report = await executeAnalysis(backend, carried, cycle);
    return { state: await backend.read(carried.state), report };
  } finally {
    carried.dispose();
    context.dispose();
  }
}

/** The mean over members, [length]. */
export function meanOf(ensemble: Float64Array, length: number): Float64Array {
  const members = ensemble.length / length;
  return Float64Array.from({ length }, (_, e) => {
    let sum = 0;
    for (let l = 0; l < members; l++) sum += ensemble[l * length + e];
    return sum / members;
  });
}

/** X, the members' differences from their mean, one a row. */
export function anomaliesOf(ensemble: Float64Array, length: number): Float64Array[] {
  const mean = meanOf(ensemble, length);
  return Array.from({ length: ensemble.length / length }, (_, l) =>
    Float64Array.from(mean, (value, e) => ensemble[l * length + e] - value),
  );
}

/** XᵀX/(N − 1), [length][length], with the anomalies as rows. */
export function sampleCovariance(ensemble: Float64Array, length: number): Float64Array[] {
  const anomalies = anomaliesOf(ensemble, length);
  return Array.from({ length }, (_, i) =>
    Float64Array.from({ length }, (_, j) => {
      let sum = 0;
      for (const anomaly of anomalies) sum += anomaly[i] * anomaly[j];
      return sum / (anomalies.length - 1);
    }),
  );
}
