/**
 * What is stored of a cycle beside what is drawn of it: the spread of the forecasts, how far the analyses are from the observations,
 * which of them each method believed, and chosen members. All but the spread of a forecast is taken between two cycles, while the
 * states are the analyses of the first and its observations are set.
 */
import type { Backend, Prepared, RealField } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';
import { ensembleMean, ensembleVariance } from '../operators/ensemble/index.ts';
import { innovation } from '../operators/observation/index.ts';
import { standardDeviation, surfaceElevation } from '../operators/surface/index.ts';
import type { Experiment } from './experiment.ts';
import type { Model } from '../models/index.ts';

/** States as planes [η, hu, hv][y][x] on a backend: of a model whose first component is the depth, with the bed added to it. */
interface StatePlaneOperator {
  /** Whether planes differ from the state; where they do not, a state may be written into them at once. */
  readonly lifts: boolean;
  /** Queues the planes of a state, [variable][y][x] both. */
  run(state: RealField, planes: RealField): void;
  dispose(): void;
}

export async function createStatePlanes(
  backend: Backend,
  { grid, variables, surface, bed }: Model,
): Promise<StatePlaneOperator> {
  if (surface !== 'depth' || !bed) {
    return { lifts: false, run: (state, planes) => backend.copy(state, planes), dispose: () => undefined };
  }
  const cells = grid.nx * grid.ny;
  const operator = await backend.prepare(surfaceElevation, { cells, variables: variables.length });
  const ground = backend.allocate('planes.bed', 'real', cells);
  backend.write(ground, bed);
  return {
    lifts: true,
    run: (state, planes) => operator.run({ state, bed: ground, planes }),
    dispose() {
      operator.dispose();
      ground.dispose();
    },
  };
}

/** Departures of the analyses of a cycle from its observations, by method; one number an observation. */
interface AnalysedObservations {
  /** y − mean H(x), in the observation's unit, y moved on to the analysis where it is of an earlier time; 0 where it is missing. */
  readonly departures: Readonly<Record<string, Float64Array>>;
  /** 1/σₒ as the method believed it, 0 where it is missing or was rejected. */
  readonly believed: Readonly<Record<string, Float64Array>>;
}

export interface StoredRecorder {
  /** Queues the spread of a method whose state is its forecast. */
  forecast(method: Method): void;
  /** After a cycle with observations. @param methods those that take part */
  observations(methods: readonly Method[]): Promise<AnalysedObservations>;
  /** Standard deviation of η over the members of the latest forecast, m; undefined for a method with one member. [y][x] */
  forecastSpread(method: Method): Promise<Float32Array | undefined>;
  /** A member after the analysis, [η, hu, hv][y][x]. @param member from 0, of those that the method has */
  member(method: Method, member: number): Promise<Float32Array>;
  dispose(): void;
}

/** Room for what the members of a method see of the observations. */
interface ObservationRoom {
  readonly capacity: number;
  readonly observed: RealField;
  readonly mean: RealField;
  readonly departure: RealField;
  readonly scaled: RealField;
  readonly comparing: Prepared<typeof innovation.fields>;
  readonly averaging: ReadonlyMap<number, Prepared<typeof ensembleMean.fields>>;
  dispose(): void;
}

async function createObservationRoom(
  backend: Backend,
  methods: readonly Method[],
  capacity: number,
): Promise<ObservationRoom> {
  const counts = [...new Set(methods.map(({ members }) => members))];
  const allocate = (label: string, length: number) => backend.allocate(`stored.${label}`, 'real', length);
  const fields = {
    observed: allocate('observed', Math.max(...counts) * capacity),
    mean: allocate('mean', capacity),
    departure: allocate('departure', capacity),
    scaled: allocate('scaled', capacity),
  };
  const comparing = await backend.prepare(innovation, { observations: capacity });
  const averaging = new Map<number, Prepared<typeof ensembleMean.fields>>();
  for (const members of counts)
    averaging.set(members, await backend.prepare(ensembleMean, { members, length: capacity }));
  return {
    capacity,
    ...fields,
    comparing,
    averaging,
    dispose() {
      for (const owned of [comparing, ...averaging.values(), ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** How the spread of a forecast is found, and where it is kept. */
interface SpreadOfForecast {
  readonly varying: Prepared<typeof ensembleVariance.fields>;
  readonly deviation: RealField;
}

/** @param experiment must outlive the recorder */
export async function createStoredRecorder(backend: Backend, experiment: Experiment): Promise<StoredRecorder> {
  const { model, methods } = experiment;
  const cells = model.grid.nx * model.grid.ny;
  const length = model.variables.length * cells;
  const disposables: { dispose(): void }[] = [];
  const own = <Owned extends { dispose(): void }>(owned: Owned): Owned => {
    disposables.push(owned);
    return owned;
  };
  const surface = own(await createStatePlanes(backend, model));
  const rooting = own(await backend.prepare(standardDeviation, { length: cells }));
  const state = own(backend.allocate('stored.state', 'real', length));
  const planes = surface.lifts ? own(backend.allocate('stored.planes', 'real', length)) : state;
  // Also of the planes of a member, which are taken between cycles.
  const variance = state;
  const spreads = new Map<Method, SpreadOfForecast>();
  for (const method of methods.filter(({ members }) => members > 1)) {
    spreads.set(method, {
      varying: own(await backend.prepare(ensembleVariance, { members: method.members, length })),
      deviation: own(backend.allocate(`stored.${method.label}.spread`, 'real', cells)),
    });
  }
  let room: ObservationRoom | undefined;

  /** There is more room, or less, when gauges were painted. */
  async function roomNow(): Promise<ObservationRoom> {
    const { capacity } = experiment.observationOperator;
    if (room?.capacity === capacity) return room;
    room?.dispose();
    room = undefined;
    return (room = await createObservationRoom(backend, methods, capacity));
  }

  return {
    forecast(method) {
      const spread = spreads.get(method);
      if (!spread) return;
      spread.varying.run({ ensemble: method.state, variance });
      rooting.run({ variance, deviation: spread.deviation });
    },
    async observations(taking) {
      const { observed, mean, departure, scaled, comparing, averaging } = await roomNow();
      const operator = experiment.observationOperator;
      const { inverseErrorStd, count } = operator;
      const found = { departures: {} as Record<string, Float64Array>, believed: {} as Record<string, Float64Array> };
      for (const method of taking) {
        const { label, members, departures } = method;
        operator.observe(method.state, members, observed);
        averaging.get(members)?.run({ ensemble: observed, mean });
        const values = departures.valuesAtAnalysis;
        comparing.run({ values, observed: mean, inverseErrorStd, innovation: departure, scaled });
        found.departures[label] = await backend.read(departure, 0, count);
        found.believed[label] = await backend.read(departures.inverseErrorStd, 0, count);
      }
      return found;
    },
    async forecastSpread(method) {
      const spread = spreads.get(method);
      return spread && backend.readSingle(spread.deviation);
    },
    async member({ state: ensemble }, member) {
      backend.copy(ensemble, state, { sourceOffset: member * length, length });
      if (planes !== state) surface.run(state, planes);
      return backend.readSingle(planes);
    },
    dispose() {
      room?.dispose();
      for (const owned of disposables.splice(0).reverse()) owned.dispose();
    },
  };
}
