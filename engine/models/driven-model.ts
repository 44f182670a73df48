/**
 * A model that something drives: after each step of length Δt, x ← M(x) + Δt·r with rates r that do not depend on the state. They are
 * those of a source (forcing), constant over a forecast. Ground that has fallen dry keeps no momentum, and no water below zero. The
 * derivative of the step is that of M, so that what `linearise` makes of a model is right for the driven one as well.
 */
import type { Backend, Prepared, RealField } from '../compute/backend.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import type { ForecastFrames, Model, Onlookers, Propagator } from './model.ts';

/** The rates of the states of one propagator, per second. */
export interface DrivingRates {
  /** [member][variable][y][x] */
  readonly field: RealField;
  dispose(): void;
}

/** @param ratesOf makes the rates of each propagator, which disposes of them */
export function drivenModel(model: Model, ratesOf: (backend: Backend, members: number) => DrivingRates): Model {
  return {
    ...model,
    async prepare(backend, members, pace, signal): Promise<Propagator> {
      const propagator = await model.prepare(backend, members, pace, signal);
      const rates = ratesOf(backend, members);
      const length = model.variables.length * model.grid.nx * model.grid.ny;
      /** By the length of the step. */
      const pushes = new Map<number, Prepared<typeof perturbation.fields>>();
      const pushOf = async (timeStep: number): Promise<Prepared<typeof perturbation.fields>> => {
        const push =
          pushes.get(timeStep) ?? (await backend.prepare(perturbation, { members, length, factor: timeStep }));
        pushes.set(timeStep, push);
        return push;
      };
      /** Looks at the state after every step, before all others do, and pushes it on. With "auto" each step is waited for. */
      const pushing = async (
        state: RealField,
        seconds: number,
        onlookers: Onlookers,
      ): Promise<ForecastFrames | undefined> => {
        if (seconds === 0) return undefined;
        const shares = onlookers.flatMap((frames) => frames?.shares ?? []);
        const { steps, timeStep } = propagator.divide(seconds, shares);
        const push = await pushOf(timeStep);
        return {
          count: steps,
          shares: Array.from({ length: steps }, (_, step) => (step + 1) / steps),
          exact: true,
          take() {
            push.run({ noise: rates.field, ensemble: state });
            // The rates know no state: they push ground as well that has fallen dry.
            if (model.dryDepth !== undefined) propagator.repair(state);
          },
        };
      };
      return {
        ...propagator,
        async advance(state, seconds, ...onlookers) {
          return propagator.advance(state, seconds, await pushing(state, seconds, onlookers), ...onlookers);
        },
        async queue(state, seconds, ...onlookers) {
          return propagator.queue(state, seconds, await pushing(state, seconds, onlookers), ...onlookers);
        },
        // The rates are those of the members alone.
        canQueueTogether: () => false,
        async stepOf(seconds) {
          const [take, push] = [await propagator.stepOf(seconds), await pushOf(seconds)];
          return (state) => {
            take(state);
            push.run({ noise: rates.field, ensemble: state });
            if (model.dryDepth !== undefined) propagator.repair(state);
          };
        },
        advanceSteps: () => Promise.reject(new RangeError('a driven model is advanced by seconds, not by steps')),
        dispose() {
          for (const owned of [...pushes.values(), rates, propagator]) owned.dispose();
          pushes.clear();
        },
      };
    },
  };
}
