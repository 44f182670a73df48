/**
 * What the stage knows of a snapshot in numbers, on the host: planes of each view, ranges of colours, the size of the waves.
 * Ranges and wave size hold still from cycle to cycle as long as they fit.
 */
import type { BasinInfo, Plane, Snapshot } from '../session/session.ts';
import { fieldOf } from '../state/fields.ts';
import type { FieldId } from '../state/fields.ts';
import { TRUTH } from '../state/method-style.ts';
import type { Phase } from '../state/view-state.ts';
import type { Numbers, PlaneNumbers } from '../values/plane-reader.ts';
import { dryDepth, sampleField } from './field-values.ts';
import type { FieldPlanes } from './field-values.ts';
import type { PlaneName } from './field-nodes.ts';
import { joinRanges, rangeOf, steadyRange } from './ranges.ts';
import type { Range } from './ranges.ts';
import type { StageModel } from './stage-model.ts';
import type { ViewPlace } from './view-grid.ts';

/** Planes of one subject, wherever they lie. */
export type SubjectPlanes = Readonly<Partial<Record<Exclude<PlaneName, 'bed'>, Plane | undefined>>>;

/** @returns all planes that views of this subject may need; undefined for a method that the snapshot does not have */
export function subjectPlanes(snapshot: Snapshot, subject: string, phase: Phase): SubjectPlanes | undefined {
  const { truth, methods } = snapshot;
  if (subject === TRUTH) return { ...truth, truthEta: truth.eta };
  const method = methods.find(({ method: label }) => label === subject);
  if (!method) return undefined;
  return { ...method[phase], truthEta: truth.eta, forecastEta: method.forecast.eta, spread: method.spread };
}

/** @returns those planes that a field is computed from, besides η and the bed */
export function planesOfField(field: FieldId): readonly Exclude<PlaneName, 'bed'>[] {
  switch (field) {
    case 'surface':
    case 'depth':
      return ['eta'];
    case 'speed':
    case 'vorticity':
      return ['eta', 'hu', 'hv'];
    case 'error':
      return ['eta', 'truthEta'];
    case 'spread':
      return ['eta', 'spread'];
    case 'increment':
      return ['eta', 'forecastEta'];
    default:
      return field satisfies never;
  }
}

/** The phase in which a field is defined: an increment is that of the analysis, whatever phase is shown. */
export function phaseOfField(field: FieldId, phase: Phase): Phase {
  return field === 'increment' || field === 'spread' ? 'analysis' : phase;
}

const NOTHING: FieldPlanes = {
  eta: undefined,
  hu: undefined,
  hv: undefined,
  truthEta: undefined,
  forecastEta: undefined,
  spread: undefined,
};

/** @returns the numbers that a field of a subject needs; those still on their way are undefined */
export function numbersOf(numbers: Numbers, planes: SubjectPlanes | undefined, field: FieldId): FieldPlanes {
  if (!planes) return NOTHING;
  const found = Object.fromEntries(planesOfField(field).map((name) => [name, numbers(planes[name])]));
  return { ...NOTHING, ...found };
}

/** @returns whether all numbers that the field needs are here */
export function isComplete(found: FieldPlanes, field: FieldId): boolean {
  return planesOfField(field).every((name) => found[name] !== undefined);
}

export interface SnapshotNumbers {
  /** By view key; of fields that were not seen yet, or nowhere differ from nothing, there is none. */
  ranges(model: StageModel, views: readonly ViewPlace[], numbers: Numbers): ReadonlyMap<string, Range>;
  /** The largest |η| to be drawn, m; holds still while the waves stay within a factor. */
  amplitude(model: StageModel, numbers: Numbers): number;
  readonly dry: number;
}

/** What a bar says before there is anything to say. */
export function unknownRange(field: FieldId): Range {
  return { from: fieldOf(field).scale === 'diverging' ? -1 : 0, to: 1 };
}

/** @returns numbers for one basin; a new run starts anew */
export function createSnapshotNumbers(basin: BasinInfo): SnapshotNumbers {
  const dry = dryDepth(basin.bed);
  const byView = new Map<string, Range>();
  const byField = new Map<FieldId, Range>();
  let waves: Range | undefined;

  const ownRange = (model: StageModel, { field, subject }: ViewPlace, numbers: Numbers): Range | undefined => {
    const planes = subjectPlanes(model.snapshot, subject, phaseOfField(field, model.phase));
    const found = numbersOf(numbers, planes, field);
    if (!isComplete(found, field)) return undefined;
    const values = sampleField(field, found, basin, dry);
    // Where nothing moves yet there is no range to be had; a made-up one would stay with the shared range.
    return values.some((value) => value !== 0) ? rangeOf(values, fieldOf(field).scale) : undefined;
  };
  const extreme = (values: PlaneNumbers | undefined): number => {
    let most = 0;
    const stride = Math.max(1, Math.floor((values?.length ?? 0) / 50_000));
    for (let cell = 0; cell < (values?.length ?? 0); cell += stride) {
      const eta = values?.[cell] ?? 0;
      if (eta - (basin.bed[cell] ?? 0) > dry) most = Math.max(most, Math.abs(eta));
    }
    return most;
  };

  return {
    dry,
    ranges(model, views, numbers) {
      const now = new Map<FieldId, Range[]>();
      for (const view of views) {
        const found = ownRange(model, view, numbers);
        if (!found) continue;
        byView.set(view.key, steadyRange(byView.get(view.key), found));
        now.set(view.field, [...(now.get(view.field) ?? []), found]);
      }
      for (const [field, found] of now) {
        const joined = joinRanges(found);
        if (joined) byField.set(field, steadyRange(byField.get(field), joined));
      }
      const rangeIn = ({ key, field }: ViewPlace): Range | undefined => {
        const locked = model.lockedRanges[field];
        if (model.rangeMode === 'locked' && locked) return { from: locked[0], to: locked[1] };
        const own = model.rangeMode === 'auto' ? byView.get(key) : undefined;
        return own ?? byField.get(field);
      };
      return new Map(
        views.flatMap((view) => {
          const range = rangeIn(view);
          return range ? [[view.key, range] as const] : [];
        }),
      );
    },
    amplitude(model, numbers) {
      const { truth, methods } = model.snapshot;
      const all = [truth.eta, ...methods.map((method) => method[model.phase].eta)].map(numbers);
      const most = Math.max(0, ...all.map(extreme));
      if (most > 0) waves = steadyRange(waves, { from: 0, to: most });
      return waves?.to ?? 0;
    },
  };
}
