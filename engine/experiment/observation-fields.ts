/** Where the observations of an analysis are made and kept on the backend, with room for so many of them. */
import type { Backend, Field, RealField } from '../compute/backend.ts';
import { createObservationOperator, createObservedInTime, measurement } from '../operators/observation/index.ts';
import type { ObservationOperator, ObservedModel } from '../operators/observation/index.ts';
import { perturbation } from '../operators/ensemble/index.ts';
import { segmentTable, standardNormal } from '../operators/standard-normal/index.ts';
import type { ObservationPlan, ObservationRoom } from './observation-plan.ts';

export interface ObservationFields {
  readonly room: ObservationRoom;
  /** H, with this cycle's observations set. */
  readonly operator: ObservationOperator;
  /** Standard deviations beyond which an innovation is rejected, by observation; 0 keeps all. */
  readonly threshold: RealField;
  /** Queues what is observed of the truth at a moment inside the window. */
  see(truth: RealField, moment: number): void;
  /** Queues the values: H(truth) with errors drawn for it, or what a file gives; 0 in the padding. */
  measure(plan: ObservationPlan, truth: RealField): void;
  dispose(): void;
}

function padded(values: Float64Array, length: number): Float64Array {
  const all = new Float64Array(length);
  all.set(values);
  return all;
}

/** @param members the member counts that will be observed beside the truth's one */
export async function createObservationFields(
  backend: Backend,
  observed: ObservedModel,
  members: readonly number[],
  room: ObservationRoom,
): Promise<ObservationFields> {
  const capacity = Math.max(1, room.observations);
  const segments = Math.max(1, room.segments);
  const operator = await createObservationOperator(backend, observed, {
    capacity,
    members: [1, ...members],
    moments: room.moments,
  });
  const inTime = await createObservedInTime(backend, operator, 1);
  const measuring = await backend.prepare(measurement, { observations: capacity });
  const drawing = await backend.prepare(standardNormal, { length: capacity, segments });
  const streams = backend.allocate('observations.streams', 'index', segmentTable([], segments).length);
  const normal = backend.allocate('observations.normal', 'real', capacity);
  const threshold = backend.allocate('observations.threshold', 'real', capacity);
  const observedTruth = backend.allocate('observations.truth', 'real', capacity);
  const term = backend.allocate('observations.term', 'real', capacity);
  const isGiven = backend.allocate('observations.isGiven', 'index', capacity);
  const together = room.isCorrelated
    ? {
        errors: backend.allocate('observations.correlated', 'real', capacity),
        adding: await backend.prepare(perturbation, { members: 1, length: capacity }),
      }
    : undefined;
  /** What was written last to a field that seldom changes. */
  const sent = new Map<Field, Float64Array>();

  const send = (field: Field, values: Float64Array): void => {
    const before = sent.get(field);
    if (before && values.every((value, j) => value === before[j])) return;
    backend.write(field, values);
    sent.set(field, values);
  };

  return {
    room,
    operator,
    threshold,
    see: (truth, moment) => inTime.see(truth, moment),
    measure(plan, truth) {
      const { count, errorStd, errors, given } = plan;
      const known = new Float64Array(capacity).fill(1);
      const terms = new Float64Array(capacity);
      for (let j = 0; j < count; j++) {
        const isKnown = !Number.isNaN(given[j]);
        known[j] = Number(isKnown);
        terms[j] = isKnown ? given[j] : errorStd[j];
      }
      send(isGiven, known);
      send(term, terms);
      backend.write(streams, segmentTable(errors, segments));
      drawing.run({ streams, output: normal });
      inTime.observe(truth, observedTruth);
      measuring.run({ observed: observedTruth, normal, term, isGiven, values: operator.values });
      if (together) {
        // A value that a file gives has its error already.
        const errors = plan.correlatedError.map((error, j) => (Number.isNaN(given[j]) ? error : 0));
        backend.write(together.errors, padded(errors, capacity));
        together.adding.run({ noise: together.errors, ensemble: operator.values });
      }
      send(threshold, padded(plan.threshold, capacity));
    },
    dispose() {
      for (const owned of [
        inTime,
        operator,
        measuring,
        drawing,
        streams,
        normal,
        threshold,
        observedTruth,
        term,
        isGiven,
      ])
        owned.dispose();
      together?.errors.dispose();
      together?.adding.dispose();
    },
  };
}
