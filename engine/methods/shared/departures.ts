/**
 * How far the observations are from a forecast: H of every member, the innovation d = y − mean H(x), the background's
 * variance at the observations, and which observations quality control believes.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import { ensembleMean, ensembleVariance, perturbation } from '../../operators/ensemble/index.ts';
import { believedInnovation, createObservedInTime } from '../../operators/observation/index.ts';
import type { ObservationOperator } from '../../operators/observation/index.ts';

/**
 * Observed values with which the analysed state is compared. A value observed inside the window is moved to the analysis time,
 * y + H(x̄ᶠ) − H(x̄ᶠ then). Its departure from the analysed forecast, y − H(x̄ᶠ), is then its departure from the forecast at its own
 * time (first guess at appropriate time), and the departure y − H(x) of any other state is consistent with it.
 */
interface MovedValues {
  /** [capacity] */
  readonly values: RealField;
  /** Queues `values` for a forecast. @param observed mean H(x) of what is observed, each at its time, [capacity] */
  move(forecast: RealField, observed: RealField): void;
  dispose(): void;
}

/** @param members of a forecast */
async function createMovedValues(
  backend: Backend,
  observations: ObservationOperator,
  members: number,
): Promise<MovedValues> {
  const { capacity, moments } = observations;
  if (moments === 0) return { values: observations.values, move: () => undefined, dispose: () => undefined };
  const allocate = (name: string, length: number) => backend.allocate(`movedValues.${name}`, 'real', length);
  const fields = {
    values: allocate('values', capacity),
    ensemble: allocate('ensemble', members * capacity),
    mean: allocate('mean', capacity),
  };
  const averaging = await backend.prepare(ensembleMean, { members, length: capacity });
  const subtracting = await backend.prepare(perturbation, { members: 1, length: capacity, factor: -1 });
  const adding = await backend.prepare(perturbation, { members: 1, length: capacity });
  return {
    values: fields.values,
    move(forecast, observed) {
      const { values, ensemble, mean } = fields;
      backend.copy(observations.values, values);
      if (!observations.isAsynchronous) return;
      observations.observe(forecast, members, ensemble);
      averaging.run({ ensemble, mean });
      subtracting.run({ noise: observed, ensemble: values });
      adding.run({ noise: mean, ensemble: values });
    },
    dispose() {
      for (const owned of [averaging, subtracting, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
}

/** Departures of a method's forecast from the cycle's observations, on its backend. */
export interface Departures {
  /** H(xᵢ), [members][capacity]. */
  readonly observedEnsemble: RealField;
  /** The same inflated, where the inflation adapts itself; else the same field. */
  readonly inflatedEnsemble: RealField;
  /** y − mean H(x) of what is used, in the observation's unit; 0 if nothing is. [capacity] */
  readonly innovation: RealField;
  /** R^−½ times the innovation. [capacity] */
  readonly scaled: RealField;
  /** Variance of the background at the observations as the method uses it, with its inflation. [capacity] */
  readonly variance: RealField;
  /** What other states than the forecast are held against: what is observed, moved on with the forecast to the analysis. [capacity] */
  readonly valuesAtAnalysis: RealField;
  /** 1/σₒ of what is used: 0 where an observation is missing or was rejected, less where σₒ is lost in rounding. [capacity] */
  readonly inverseErrorStd: RealField;
  /** Queues what is observed of the forecast on its way, at a moment inside the window. */
  see(state: RealField, moment: number): void;
  /** Queues the departures of a forecast from the observations that are set. */
  compute(state: RealField): void;
  /** Frees them. */
  dispose(): void;
}

/**
 * σ_b/σₒ and |d|/σₒ beyond which an observation is taken for less sharp than it says. The square is the largest eigenvalue that
 * one observation gives to Y R⁻¹ Yᵀ, in which the smallest is 1, and the share that rounding, times the square, adds to an
 * increment: 1e-4 in float64, 5e-3 in float32.
 */
const SHARPEST = { float64: 1e6, float32: 300 } as const;

/** Where the background's variance at the observations comes from: the ensemble's, inflated, or what the method assumes. */
export type VarianceSource =
  | {
      readonly inflation: number;
      /** Queues what inflates the members' observed values beyond that, where the factor is known on the device alone. */
      readonly inflateObserved?: ((observedEnsemble: RealField) => void) | undefined;
      /** σ_b/σₒ and |d|/σₒ beyond which the method holds no observation, where that is less than rounding allows. */
      readonly sharpest?: number;
    }
  /** Queues the variance of a state at the observations of the cycle. */
  | { readonly compute: (state: RealField, variance: RealField) => void };

/**
 * @param members of the state
 * @param threshold standard deviations per observation beyond which an innovation is rejected, 0 keeping all. [capacity]
 */
export async function createDepartures(
  backend: Backend,
  observations: ObservationOperator,
  threshold: RealField,
  members: number,
  source: VarianceSource,
): Promise<Departures> {
  const { capacity } = observations;
  const fields = {
    observedEnsemble: backend.allocate('departures.observedEnsemble', 'real', members * capacity),
    observed: backend.allocate('departures.observed', 'real', capacity),
    innovation: backend.allocate('departures.innovation', 'real', capacity),
    scaled: backend.allocate('departures.scaled', 'real', capacity),
    variance: backend.allocate('departures.variance', 'real', capacity),
    inverseErrorStd: backend.allocate('departures.inverseErrorStd', 'real', capacity),
  };
  const inflateObserved = 'inflateObserved' in source ? source.inflateObserved : undefined;
  const inflated = inflateObserved && backend.allocate('departures.inflated', 'real', members * capacity);
  const inflatedEnsemble = inflated ?? fields.observedEnsemble;
  const inTime = await createObservedInTime(backend, observations, members);
  const moved = await createMovedValues(backend, observations, members);
  const mean = await backend.prepare(ensembleMean, { members, length: capacity });
  const spread =
    'inflation' in source
      ? await backend.prepare(ensembleVariance, { members, length: capacity, factor: source.inflation })
      : undefined;
  const departure = await backend.prepare(believedInnovation, {
    observations: capacity,
    sharpest: Math.min(SHARPEST[backend.precision], ('sharpest' in source ? source.sharpest : undefined) ?? Infinity),
  });

  return {
    ...fields,
    inflatedEnsemble,
    valuesAtAnalysis: moved.values,
    see: (state, moment) => inTime.see(state, moment),
    compute(state) {
      const { values, inverseErrorStd: given } = observations;
      const { observedEnsemble, observed, innovation, scaled, variance, inverseErrorStd } = fields;
      inTime.observe(state, observedEnsemble);
      mean.run({ ensemble: observedEnsemble, mean: observed });
      moved.move(state, observed);
      if (inflateObserved) {
        backend.copy(observedEnsemble, inflatedEnsemble);
        inflateObserved(inflatedEnsemble);
      }
      if ('compute' in source) source.compute(state, variance);
      else spread?.run({ ensemble: inflatedEnsemble, variance });
      departure.run({
        values,
        observed,
        inverseErrorStd: given,
        variance,
        threshold,
        effective: inverseErrorStd,
        innovation,
        scaled,
      });
    },
    dispose() {
      for (const owned of [inTime, moved, mean, departure, ...Object.values(fields)]) owned.dispose();
      spread?.dispose();
      inflated?.dispose();
    },
  };
}
