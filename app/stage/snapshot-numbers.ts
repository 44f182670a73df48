/**
 * What the stage knows of a snapshot in numbers, on the host: planes of each view, ranges of colours, the size of the waves.
 * Ranges and wave size are those of the run: found from the truth and the first cycles, they grow in steps and never shrink.
 */
import { selectInPlace, type BasinInfo, type Plane, type Snapshot } from '../../engine/index.ts';
import type { ShownSnapshot } from '../document/lines/shown.ts';
import { fieldIn, fieldOf, isFieldId, type Field, type FieldId, type ViewFieldId } from '../fields/fields.ts';
import { isTruth, TRUTH } from '../document/views/method-style.ts';
import type { Phase } from '../document/views/view-state.ts';
import { requestsFor, type Numbers, type PlaneNumbers, type PlaneRequest } from '../document/values/plane-reader.ts';
import { dryDepth, isWet, planesOfField, sampleField, type FieldPlanes } from '../document/views/field-values.ts';
import type { PlaneName } from './field-nodes.ts';
import { holdRange, joinRanges, measured, type HeldRange, type Range } from '../fields/ranges.ts';
import { localPlane, planeOfShown, rangeOfShown, type ShownPlanes } from '../document/views/shown-planes.ts';
import type { StageModel } from './stage-model.ts';
import type { ViewPlace } from './view-grid.ts';

/** Planes of one subject, wherever they are. */
export type SubjectPlanes = Readonly<Partial<Record<Exclude<PlaneName, 'bed'>, Plane | undefined>>>;

/**
 * @param field of the view
 * @param instead what methods show in place of a field
 * @returns all planes that a view of this subject may need; undefined for a method that the snapshot does not have
 */
export function subjectPlanes(
  snapshot: ShownSnapshot,
  subject: string,
  phase: Phase,
  field: ViewFieldId,
  instead?: ShownPlanes,
): SubjectPlanes | undefined {
  const { methods } = snapshot;
  if (subject === TRUTH) return { ...snapshot.truth, truthEta: snapshot.truth.eta };
  const method = methods.find(({ method: label }) => label === subject);
  if (!method) return undefined;
  const { truth = snapshot.truth } = method;
  return {
    ...method[phase],
    truthEta: truth.eta,
    forecastEta: method.forecast.eta,
    spread: method.spread,
    shown: planeOfShown(instead, subject),
    local: localPlane(snapshot, method, field),
  };
}

/** @returns the cycle in which a method had diverged by the snapshot; undefined while it continues */
export function divergedAt({ cycle, methods }: Snapshot, subject: string): number | undefined {
  const found = methods.find(({ method }) => method === subject)?.divergedAt;
  return found !== undefined && found <= cycle ? found : undefined;
}

/** The phase in which a field is defined: an increment is that of the analysis, whatever phase is shown. */
export function phaseOfField(field: ViewFieldId, phase: Phase): Phase {
  return fieldOf(field).of === 'state' ? phase : 'analysis';
}

const NOTHING: FieldPlanes = {
  eta: undefined,
  hu: undefined,
  hv: undefined,
  truthEta: undefined,
  forecastEta: undefined,
  spread: undefined,
  shown: undefined,
  local: undefined,
};

/** @returns the numbers that a field of a subject needs; those still on their way are undefined */
export function numbersOf(numbers: Numbers, planes: SubjectPlanes | undefined, field: ViewFieldId): FieldPlanes {
  if (!planes) return NOTHING;
  const found = Object.fromEntries(planesOfField(field).map((name) => [name, numbers(planes[name])]));
  return { ...NOTHING, ...found };
}

/** @returns whether all numbers that the field needs are here */
export function isComplete(found: FieldPlanes, field: ViewFieldId): boolean {
  return planesOfField(field).every((name) => found[name] !== undefined);
}

/** @returns the planes whose numbers ranges, wave heights, picking and a camera that follows a wave need */
export function requestsOf(
  { snapshot, transit, phase, instead, followsWave }: StageModel,
  places: readonly ViewPlace[],
): readonly PlaneRequest[] {
  const drawn = places.flatMap(({ field, subject }) => {
    const planes = subjectPlanes(snapshot, subject, phaseOfField(field, phase), field, instead);
    return planesOfField(field).map((name) => planes?.[name]);
  });
  return requestsFor([...drawn, snapshot.truth.eta, followsWave ? transit?.to.truth.eta : undefined]);
}

export interface SnapshotNumbers {
  /** By view key; of fields that were not seen yet, or nowhere differ from nothing, there is none. */
  ranges(model: StageModel, views: readonly ViewPlace[], numbers: Numbers): ReadonlyMap<string, HeldRange>;
  /** The largest |η| of the truth to be drawn, m: `range.to`; undefined before there are waves. */
  amplitude(model: StageModel, numbers: Numbers): HeldRange | undefined;
  readonly dry: number;
}

/** What a bar says before there is anything to say. */
export function unknownRange({ scale }: Pick<Field, 'scale'>): Range {
  return { from: scale === 'diverging' ? -1 : 0, to: 1 };
}

/** The share of cells whose waves may be higher than what is drawn true to scale. */
const HIGHER = 0.005;

/**
 * @returns the subjects whose values a field's range is made for: the truth where it has the field; else the methods that
 * continue, without the free run, whose errors grow by nobody's doing, unless that is asked for
 */
function teachersOf(model: StageModel, field: FieldId): ReadonlySet<string> {
  if (fieldOf(field).ofTruth) return new Set([TRUTH]);
  const methods = model.subjects.filter(({ label }) => !isTruth(label));
  const learning = methods.filter(
    ({ label, isFreeRun }) => (model.freeRunCounts || !isFreeRun) && divergedAt(model.snapshot, label) === undefined,
  );
  return new Set((learning.length > 0 ? learning : methods).map(({ label }) => label));
}

/** @returns numbers for one run in this basin */
export function createSnapshotNumbers(basin: BasinInfo): SnapshotNumbers {
  const dry = dryDepth(basin.bed);
  const byView = new Map<string, HeldRange>();
  const byField = new Map<string, HeldRange>();
  let waves: HeldRange | undefined;
  /** What was measured of the snapshot that was seen last. */
  let measuredOf: Snapshot | undefined;
  const measurements = new Map<string, Range | undefined>();
  let mostOfWaves: number | undefined;

  const measure = (model: StageModel, { field, subject }: ViewPlace, numbers: Numbers): Range | undefined => {
    const phase = phaseOfField(field, model.phase);
    const found = numbersOf(numbers, subjectPlanes(model.snapshot, subject, phase, field), field);
    if (!isComplete(found, field)) return undefined;
    const id = `${field}/${subject}/${phase}`;
    if (!measurements.has(id)) {
      const values = sampleField(field, found, basin, dry);
      // If nothing moves yet there is no range; a placeholder would stay for the run.
      const moves = values.some((value) => value !== 0);
      measurements.set(id, moves ? measured(values, fieldIn(basin, field).scale) : undefined);
    }
    return measurements.get(id);
  };
  /** The height that all but a few of the waves stay below, m; 0 without waves. */
  const highest = (values: PlaneNumbers): number => {
    const stride = Math.max(1, Math.floor(values.length / 50_000));
    const heights = new Float64Array(Math.ceil(values.length / stride));
    let count = 0;
    for (let cell = 0; cell < values.length; cell += stride) {
      const eta = values[cell];
      if (isWet(basin, cell, eta, dry)) heights[count++] = Math.abs(eta);
    }
    return count === 0 ? 0 : selectInPlace(heights.subarray(0, count), Math.floor((1 - HIGHER) * (count - 1)));
  };
  const begin = (snapshot: Snapshot): void => {
    if (measuredOf === snapshot) return;
    measuredOf = snapshot;
    measurements.clear();
    mostOfWaves = undefined;
  };

  return {
    dry,
    ranges(model, views, numbers) {
      begin(model.snapshot);
      const { cycle } = model.snapshot;
      const scope = (field: FieldId): string => `${field}/${String(model.freeRunCounts)}`;
      const now = new Map<FieldId, Range[]>();
      for (const view of views) {
        if (!isFieldId(view.field)) continue;
        const found = measure(model, view, numbers);
        if (!found) continue;
        const { scale } = fieldIn(basin, view.field);
        byView.set(view.key, holdRange(byView.get(view.key), found, scale, cycle));
        if (!teachersOf(model, view.field).has(view.subject)) continue;
        now.set(view.field, [...(now.get(view.field) ?? []), found]);
      }
      for (const [field, found] of now) {
        const joined = joinRanges(found);
        if (!joined) continue;
        byField.set(scope(field), holdRange(byField.get(scope(field)), joined, fieldIn(basin, field).scale, cycle));
      }
      const rangeIn = ({ key, field }: ViewPlace): HeldRange | undefined => {
        if (!isFieldId(field)) {
          return model.instead && { range: rangeOfShown(model.instead), grownAt: undefined };
        }
        const locked = model.lockedRanges[field];
        if (model.rangeMode === 'locked' && locked) {
          return { range: { from: locked[0], to: locked[1] }, grownAt: undefined };
        }
        const own = model.rangeMode === 'auto' ? byView.get(key) : undefined;
        return own ?? byField.get(scope(field));
      };
      return new Map(
        views.flatMap((view) => {
          const range = rangeIn(view);
          return range ? [[view.key, range] as const] : [];
        }),
      );
    },
    amplitude({ snapshot }, numbers) {
      begin(snapshot);
      const values = numbers(snapshot.truth.eta);
      if (values) mostOfWaves ??= highest(values);
      const most = mostOfWaves ?? 0;
      if (most > 0) waves = holdRange(waves, { from: 0, to: most }, 'spread', snapshot.cycle);
      return waves;
    },
  };
}
