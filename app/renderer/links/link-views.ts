/** What a link says of the views: fields and rows, cameras, ranges, pins, hidden methods and the part of the evidence. */
import { batch } from '@preact/signals';
import { z } from 'zod';
import { EVIDENCE_TABS } from '../charts/evidence-tabs.ts';
import { FARTHEST, HIGHEST_ELEVATION, LOWEST_ELEVATION, NEAREST, presetCamera } from '../stage/cameras.ts';
import type { CameraPlacement, CameraState } from '../stage/cameras.ts';
import { BASIN_LENGTH } from '../stage/elevation.ts';
import type { StageState } from '../stage/stage-state.ts';
import { FIELDS } from '../state/fields.ts';
import type { FieldId } from '../state/fields.ts';
import type { Laboratory } from '../state/laboratory.ts';
import { EXAGGERATIONS, MAXIMUM_PROBES, MAXIMUM_ROWS, PHASES, RANGE_MODES, STAGE_LOOKS } from '../state/view-state.ts';
import type { ViewState } from '../state/view-state.ts';

/** Methods that a link may name. */
const MOST_METHODS = 64;
/** Views that a link may place cameras for: a row of all methods each. */
const MOST_VIEWS = MAXIMUM_ROWS * MOST_METHODS;
const LONGEST_LABEL = 200;
/** Decimals of a camera's numbers: a tenth of a pixel. */
const DECIMALS = 4;

const field = z.enum(FIELDS.map(({ id }) => id) as [FieldId, ...FieldId[]]);
const tab = z.enum(EVIDENCE_TABS.map(({ id }) => id));
const cell = z.strictObject({ x: z.int().nonnegative(), y: z.int().nonnegative() });
const target = z.number().min(-BASIN_LENGTH).max(BASIN_LENGTH);
const range = z
  .tuple([z.number(), z.number()])
  .refine(([from, to]) => from <= to, 'the second number is not below the first');
const camera = z.strictObject({
  azimuth: z
    .number()
    .min(-2 * Math.PI - 0.001)
    .max(2 * Math.PI + 0.001),
  elevation: z
    .number()
    .min(LOWEST_ELEVATION - 0.001)
    .max(HIGHEST_ELEVATION + 0.001),
  distance: z.number().min(NEAREST).max(FARTHEST),
  targetX: target,
  targetZ: target,
  fits: z.boolean().optional(),
});

/** Keys that are left out mean what a new laboratory shows. */
export const linkViewsSchema = z.strictObject({
  fields: z.array(field).min(1).max(MAXIMUM_ROWS).default(['surface']),
  phase: z.enum(PHASES).default('analysis'),
  look: z.enum(STAGE_LOOKS).default('colour-mapped'),
  exaggeration: z.union([z.literal('auto'), z.literal(EXAGGERATIONS)]).default('auto'),
  camerasLinked: z.boolean().default(true),
  camera: camera.optional(),
  /** By a view's key, field/method; of those that were moved by themselves. */
  freeCameras: z
    .record(z.string().max(LONGEST_LABEL), camera)
    .refine((record) => Object.keys(record).length <= MOST_VIEWS, `allowed are ${MOST_VIEWS} cameras at most`)
    .default({}),
  rangeMode: z.enum(RANGE_MODES).default('shared'),
  lockedRanges: z.partialRecord(field, range).default({}),
  freeRunCounts: z.boolean().default(false),
  showsObservations: z.boolean().default(true),
  showsBathymetry: z.boolean().default(true),
  probes: z
    .array(cell.extend({ id: z.int().min(1).max(MAXIMUM_PROBES) }))
    .max(MAXIMUM_PROBES)
    .default([]),
  crossSection: z.strictObject({ from: cell, to: cell }).optional(),
  hiddenMethods: z.array(z.string().max(LONGEST_LABEL)).max(MOST_METHODS).default([]),
  evidence: tab.default('errors'),
});

export type LinkViews = z.output<typeof linkViewsSchema>;
/** As it is written: without what a new laboratory shows anyway. */
export type WrittenViews = z.input<typeof linkViewsSchema>;

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function writtenCamera({ azimuth, elevation, distance, targetX, targetZ, fits }: CameraState): LinkViews['camera'] {
  return {
    azimuth: rounded(azimuth % (2 * Math.PI)),
    elevation: rounded(elevation),
    distance: rounded(distance),
    targetX: rounded(targetX),
    targetZ: rounded(targetZ),
    ...(fits === true && { fits }),
  };
}

function writtenCameras(placement: CameraPlacement | undefined): Pick<LinkViews, 'camera' | 'freeCameras'> {
  if (!placement) return { freeCameras: {} };
  const isUsual = JSON.stringify(placement.common) === JSON.stringify(presetCamera('perspective'));
  const free = [...placement.free].map(([key, state]) => [key, writtenCamera(state)] as const);
  return {
    ...(!isUsual && { camera: writtenCamera(placement.common) }),
    freeCameras: Object.fromEntries(free) as LinkViews['freeCameras'],
  };
}

/** @returns what is on screen of a run, for a link */
export function viewsNow(
  { evidence }: Pick<Laboratory, 'evidence'>,
  { view, stage }: { readonly view: ViewState; readonly stage: Pick<StageState, 'currentStage'> },
): WrittenViews {
  const crossSection = view.crossSection.value;
  const views: LinkViews = {
    fields: [...view.fields.value],
    phase: view.phase.value,
    look: view.look.value,
    exaggeration: view.exaggeration.value,
    camerasLinked: view.camerasLinked.value,
    ...writtenCameras(stage.currentStage.value?.cameras()),
    rangeMode: view.rangeMode.value,
    lockedRanges: view.lockedRanges.value as LinkViews['lockedRanges'],
    freeRunCounts: view.freeRunCounts.value,
    showsObservations: view.showsObservations.value,
    showsBathymetry: view.showsBathymetry.value,
    probes: view.probes.value.map(({ id, x, y }) => ({ id, x, y })),
    ...(crossSection && { crossSection }),
    hiddenMethods: [...view.hiddenMethods.value],
    evidence: evidence.evidenceTab.value,
  };
  const usual: Readonly<Record<string, unknown>> = linkViewsSchema.parse({});
  const differs = ([key, value]: [string, unknown]): boolean => JSON.stringify(value) !== JSON.stringify(usual[key]);
  return Object.fromEntries(Object.entries(views).filter(differs));
}

/** Shows of a run what a link says. */
export function showViews(
  { evidence }: Pick<Laboratory, 'evidence'>,
  { view }: { readonly view: ViewState },
  views: LinkViews,
): void {
  const placement: CameraPlacement = {
    common: views.camera ?? presetCamera('perspective'),
    free: new Map(Object.entries(views.freeCameras)),
  };
  batch(() => {
    view.fields.value = views.fields;
    view.phase.value = views.phase;
    view.look.value = views.look;
    view.exaggeration.value = views.exaggeration;
    view.camerasLinked.value = views.camerasLinked;
    view.moveCameras(placement);
    view.rangeMode.value = views.rangeMode;
    view.lockedRanges.value = views.lockedRanges;
    view.freeRunCounts.value = views.freeRunCounts;
    view.showsObservations.value = views.showsObservations;
    view.showsBathymetry.value = views.showsBathymetry;
    view.probes.value = views.probes;
    view.crossSection.value = views.crossSection;
    view.hiddenMethods.value = new Set(views.hiddenMethods);
    evidence.evidenceTab.value = views.evidence;
  });
}
