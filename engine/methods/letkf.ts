/** The local ensemble transform Kalman filter: every grid point its own analysis, of the observations near it [hunt2007]. */
import { binGeometry, letkf, localObservations } from '../operators/letkf/index.ts';
import type { LetkfMethod } from '../scenario/index.ts';
import { createEnsembleState } from './ensemble-state.ts';
import type { Method, MethodSurroundings } from './method.ts';
import { createRelaxation } from './relaxation.ts';
import { createRotation } from './rotation.ts';

/** Capacities grow in steps of this, so that a network that moves compiles few kernels. */
const CAPACITY_STEP = 8;

export async function createLetkf(method: LetkfMethod, surroundings: MethodSurroundings): Promise<Method> {
  const { backend, model, observations, places, members } = surroundings;
  const { variables } = model;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const grid = { nx, ny, periodicX, periodicY, aspect: dy / dx };
  const { capacity } = observations;
  const halfWidth = method.localization.halfWidth / dx;
  const ensemble = await createEnsembleState(method.label, surroundings, members);
  const analysis = backend.allocate(`${method.label}.analysis`, 'real', members * ensemble.length);
  const { binsX, binsY } = binGeometry(grid, halfWidth);
  const binStart = backend.allocate(`${method.label}.binStart`, 'index', binsX * binsY + 1);
  const binObservations = backend.allocate(`${method.label}.binObservations`, 'index', capacity);
  const relaxation = await createRelaxation(method.relaxation, backend, members, ensemble.length);
  const rotation = method.rotation ? await createRotation(method.label, surroundings, ensemble.length) : undefined;

  const prepare = (localCapacity: number) =>
    backend.prepare(letkf, {
      ...grid,
      variables: variables.length,
      members,
      observations: capacity,
      halfWidth,
      inflation: method.inflation,
      localCapacity,
      form: 'auto',
    });
  let localCapacity = 0;
  let analysing = await prepare(localCapacity);

  /** Sorts the observations by place, and makes room for as many as any grid point sees. */
  async function localise(): Promise<void> {
    const { x, y, inverseDeviation } = places();
    const index = localObservations(grid, halfWidth, x, y, inverseDeviation);
    backend.write(binStart, index.binStart);
    backend.write(binObservations, index.binObservations);
    if (index.largest <= localCapacity) return;
    const roomy = Math.ceil(index.largest / CAPACITY_STEP) * CAPACITY_STEP;
    // Fewer observations than members make the smaller problem: rounding up must not cross that line.
    localCapacity = index.largest < members ? Math.min(roomy, members - 1) : roomy;
    analysing.dispose();
    analysing = await prepare(localCapacity);
  }

  return {
    label: method.label,
    kind: method.kind,
    members,
    state: ensemble.state,
    departures: ensemble.departures,
    async analyse(cycle) {
      await localise();
      const { state, departures } = ensemble;
      const { observedEnsemble, inverseDeviation } = departures;
      const { values, positionX, positionY } = observations;
      analysing.run({
        ensemble: state,
        analysis,
        observedEnsemble,
        values,
        inverseDeviation,
        positionX,
        positionY,
        binStart,
        binObservations,
      });
      relaxation.apply(state, analysis);
      if (rotation) rotation.apply(analysis, state, cycle);
      else backend.copy(analysis, state);
      return {};
    },
    dispose() {
      for (const owned of [analysis, binStart, binObservations, relaxation, analysing, ensemble]) owned.dispose();
      rotation?.dispose();
    },
  };
}
