/** A small basin with currents, all kinds of observations of it, and a method that analyses them: what innovations are held against. */
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { executeAnalysis, createMethod } from '../../../engine/methods/index.ts';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend, Method } from '../../../engine/index.ts';
import { matrixOf, type Matrix } from '../../../engine/check/assimilation/dense.ts';
import { between } from '../../../engine/check/measures.ts';
import { basin, lengthOf, PHYSICS, contextOf, variational } from '../../../engine/check/assimilation/set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

export const [NX, NY] = [7, 6];
export const CELLS = NX * NY;
export const model = basin({ nx: NX, ny: NY });
export const LENGTH = lengthOf(model);
export const COUNT = 14;
const NAMES = ['eta', 'u', 'v', 'speed', 'h', 'hu', 'hv'];

export const observed: Observed = {
  x: between(COUNT, 0, NX - 1, 'misfit.x').map(Math.fround),
  y: between(COUNT, 0, NY - 1, 'misfit.y').map(Math.fround),
  variable: Array.from({ length: COUNT }, (_, j) => NAMES[j % NAMES.length]),
  values: between(COUNT, -0.2, 0.2, 'misfit.values').map((value, j) =>
    NAMES[j % NAMES.length] === 'h' ? 1 + value : value,
  ),
  inverseErrorStd: between(COUNT, 5, 10, 'misfit.r').map(Math.fround),
};

/** A state with currents, so that speeds have slopes: η, hu, hv. */
export const background = Float64Array.from([
  ...between(CELLS, -0.05, 0.05, 'misfit.eta'),
  ...between(CELLS, 0.1, 0.4, 'misfit.hu'),
  ...between(CELLS, -0.4, -0.1, 'misfit.hv'),
]);

/** What is observed of a state, by its definition: interpolate, then divide. */
export function observe(state: Float64Array, { x, y, variable }: Observed): Float64Array {
  const bed = model.bed ?? new Float64Array(CELLS);
  return Float64Array.from(variable, (name, j) => {
    const at = (field: (cell: number) => number): number => {
      const [i, k] = [Math.min(NX - 2, Math.floor(x[j])), Math.min(NY - 2, Math.floor(y[j]))];
      const [a, b] = [x[j] - i, y[j] - k];
      const corner = k * NX + i;
      return (
        (1 - a) * (1 - b) * field(corner) +
        a * (1 - b) * field(corner + 1) +
        (1 - a) * b * field(corner + NX) +
        a * b * field(corner + NX + 1)
      );
    };
    const eta = at((cell) => state[cell]);
    const h = at((cell) => state[cell] - bed[cell]);
    const hu = at((cell) => state[CELLS + cell]);
    const hv = at((cell) => state[2 * CELLS + cell]);
    const seen: Readonly<Record<string, number>> = {
      eta,
      h,
      hu,
      hv,
      u: hu / h,
      v: hv / h,
      speed: Math.hypot(hu, hv) / h,
    };
    return seen[name];
  });
}

export const DEVIATIONS = { h: 0.05, hu: 0.1, hv: 0.08 };

/** One analysis by a method, with its departures, and its misfit where it has one on the device. */
export async function analysed(backend: Backend, settings: Method, forecast: Float64Array, of: Observed) {
  const members = forecast.length / LENGTH;
  const context = await contextOf(backend, model, of, Math.max(2, members));
  const carried = await createMethod(settings, context);
  backend.write(carried.state, forecast);
  carried.departures.compute(carried.state);
  const [variance, inverseErrorStd] = [
    await backend.read(carried.departures.variance),
    await backend.read(carried.departures.inverseErrorStd),
  ];
  const report = await executeAnalysis(backend, carried, 0);
  const misfit = carried.misfit ? (await backend.read(carried.misfit.value))[0] : undefined;
  const status = carried.misfit ? (await backend.read(carried.misfit.status))[0] : undefined;
  const state = await backend.read(carried.state);
  carried.dispose();
  context.dispose();
  return { variance, inverseErrorStd, misfit, status, report, state };
}

export async function squareRoot(covariance: Parameters<typeof variational>[0]): Promise<Matrix> {
  const backend = createReferenceBackend();
  const transform = await createControlTransform(backend, model, variational(covariance).covariance, PHYSICS);
  const matrix = await matrixOf(backend, transform, LENGTH);
  backend.dispose();
  return matrix;
}
