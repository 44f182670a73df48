/** What drives the truth and the methods at every step: the rates of the scenario's forcing, one interval after another. */
import type { Backend, RealField } from '../compute/backend.ts';
import { forcingDefinition, type Interval, type Source } from '../forcing/index.ts';
import { drivenModel, type Model } from '../models/index.ts';
import { randomStream } from '../random/stream.ts';
import { physicsOf, type Scenario } from '../scenario/index.ts';

export interface Driving {
  /** The spin-up in parts as long as a cycle, the first one shorter; one part if nothing drives the water. */
  readonly spinUp: readonly Interval[];
  /** The model of the methods' states, driven by what they see. @returns `model` itself if that is nothing */
  ofMethods(model: Model): Model;
  /** The same of the truth. */
  ofTruth(model: Model): Model;
  /** Gives every propagator the rates of an interval, for the forecasts that are queued from then on. */
  drive(interval: Interval): void;
  /** The interval of a cycle. */
  intervalOf(cycle: number): Interval;
}

/** The rates of the states of a propagator, and how they are written for an interval. */
interface Rates {
  readonly backend: Backend;
  readonly field: RealField;
  readonly states: number;
}

/** Writes the rates of an interval. */
type Writing = (rates: Rates, interval: Interval) => void;

/** Has the rates of an interval computed once, however many propagators want them. */
function computedOnce(source: Source): Source {
  let computed: number | undefined;
  let rates: Float64Array = new Float64Array(0);
  return {
    rates(interval) {
      if (computed !== interval.number) rates = source.rates(interval);
      computed = interval.number;
      return rates;
    },
  };
}

/** Share of a cycle that a spin-up may be longer than whole cycles without having a part for it. */
const ROUNDING = 1e-9;

/** @returns the spin-up in parts, the last of which ends at 0 */
function partsOfSpinUp(spinup: number, window: number): Interval[] {
  const count = Math.max(1, Math.ceil(spinup / window - ROUNDING));
  return Array.from({ length: count }, (_, part) =>
    part === 0
      ? { number: -count, from: -spinup, seconds: spinup - (count - 1) * window }
      : { number: part - count, from: (part - count) * window, seconds: window },
  );
}

export function createDriving(scenario: Scenario): Driving {
  const { truth, background, experiment, seed } = scenario;
  const { forcing, spinup } = truth;
  const { window } = experiment;
  const { source } = forcingDefinition(forcing.kind);
  const intervalOf = (cycle: number): Interval => ({
    number: cycle,
    from: cycle * window,
    seconds: window,
  });
  if (!source) {
    const whole = { number: -1, from: -spinup, seconds: spinup };
    return {
      spinUp: [whole],
      ofMethods: (model) => model,
      ofTruth: (model) => model,
      drive: () => undefined,
      intervalOf,
    };
  }
  const spinUp = partsOfSpinUp(spinup, window);
  const [{ number: first }] = spinUp;
  const { gravity } = physicsOf(scenario.model);
  const seenBy = source.seenBy(forcing);
  const driven = new Map<Rates, Writing>();
  let now: Interval | undefined;

  const sourceOf = ({ grid, bed = new Float64Array(grid.nx * grid.ny) }: Model, member?: number): Source => {
    const streamOf = (interval: number) =>
      member === undefined
        ? randomStream(seed, 'truth.forcing', interval)
        : randomStream(seed, 'background.forcing', interval, member);
    return computedOnce(source.create(forcing, { grid, bed, gravity, window }, first, streamOf));
  };

  /** All states are driven alike. */
  function alike(model: Model): Writing {
    const one = sourceOf(model);
    return ({ backend, field, states }, interval) => {
      const rates = one.rates(interval);
      for (let state = 0; state < states; state++) backend.write(field, rates, state * rates.length);
    };
  }

  /** Members are driven each on its own, and a state that is no member by their mean. */
  function each(model: Model): Writing {
    const sources = Array.from({ length: background.members }, (_, member) => sourceOf(model, member));
    return ({ backend, field, states }, interval) => {
      const all = sources.map((own) => own.rates(interval));
      const [{ length }] = all;
      if (states >= all.length) all.forEach((rates, member) => backend.write(field, rates, member * length));
      if (states === all.length) return;
      const mean = new Float64Array(length);
      for (const rates of all) for (let i = 0; i < length; i++) mean[i] += rates[i] / all.length;
      backend.write(field, mean, (states - 1) * length);
    };
  }

  function driveWith(model: Model, writing: Writing): Model {
    return drivenModel(model, (backend, states) => {
      const length = states * model.variables.length * model.grid.nx * model.grid.ny;
      const field = backend.allocate(`forcing.rates.${states}`, 'real', length);
      const rates = { backend, field, states };
      driven.set(rates, writing);
      if (now) writing(rates, now);
      return {
        field,
        dispose() {
          driven.delete(rates);
          field.dispose();
        },
      };
    });
  }

  return {
    spinUp,
    ofMethods: (model) =>
      seenBy === 'truth' ? model : driveWith(model, seenBy === 'each' ? each(model) : alike(model)),
    ofTruth: (model) => driveWith(model, alike(model)),
    drive(interval) {
      now = interval;
      for (const [rates, writing] of driven) writing(rates, interval);
    },
    intervalOf,
  };
}
