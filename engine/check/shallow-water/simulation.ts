import { createShallowWater } from '../../models/index.ts';
import type { Backend } from '../../compute/backend.ts';
import type { CellState, Problem } from './problem.ts';

/** The state after `seconds`; with the scheme `central-upwind` the elevation of the surface is as it lives on the backend. */
export async function simulate(
  backend: Backend,
  problem: Problem,
  seconds: number,
): Promise<CellState & { readonly eta: Float64Array }> {
  const {
    scheme = 'central-upwind',
    cells,
    gravity,
    bed,
    coriolis = 0,
    boundary = { x: 'wall', y: 'wall' },
    timeStep = 'auto',
    initial,
  } = problem;
  const { nx, ny, dx, dy } = cells;
  const model = createShallowWater({
    scheme,
    grid: { nx, ny, dx, dy, periodicX: boundary.x === 'periodic', periodicY: boundary.y === 'periodic' },
    gravity,
    timeStep,
    coriolis: { f: coriolis, beta: 0 },
    manning: 0,
    boundary,
    bed,
  });
  const external = Float64Array.from([...initial.h, ...initial.hu, ...initial.hv]);
  const state = backend.allocate('verification.state', 'real', external.length);
  backend.write(state, model.toState(external));
  const propagator = await model.prepare(backend, 1);
  await propagator.advance(state, seconds);
  await propagator.check('verification');
  const found = await backend.read(state);
  propagator.dispose();
  state.dispose();
  const size = nx * ny;
  // The bed as the backend has it: a depth below zero is to be seen, not the rounding of the bed.
  const ground = backend.precision === 'float32' ? Float32Array.from(bed) : bed;
  const surface = found.slice(0, size);
  const isElevation = model.surface === 'elevation';
  return {
    eta: isElevation ? surface : surface.map((h, cell) => h + ground[cell]),
    h: isElevation ? surface.map((eta, cell) => eta - ground[cell]) : surface,
    hu: found.slice(size, 2 * size),
    hv: found.slice(2 * size),
  };
}
