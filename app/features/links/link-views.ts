/** From what is on screen of a run to the words that links and lessons have for it, and back. */
import { batch } from '@preact/signals';
import { viewsSchema, type Views, type WrittenViews } from '../../../engine/index.ts';
import { branchOf } from '../../document/lines/shown.ts';
import {
  EASE_MILLISECONDS,
  presetCamera,
  type CameraKind,
  type CameraPlacement,
  type CameraState,
} from '../../document/views/cameras.ts';
import type { StageState } from '../../stage/stage-state.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import type { ViewState } from '../../document/views/view-state.ts';
import type { Impact } from '../impact/impact-state.ts';
import type { Xray } from '../x-ray/xray-state.ts';

/** Decimals of a camera's numbers: a tenth of a pixel. */
const DECIMALS = 4;
/** What a new laboratory shows of the evidence. */
export const USUAL_EVIDENCE = 'errors';

/** What views say of the X-ray. */
export type ViewedXray = Pick<Xray, 'subject' | 'isWithheld' | 'choose' | 'leave'>;

/** What views say of impacts. */
export type ShownImpact = Pick<Impact, 'viewed' | 'show'>;

/** What of a run is written and shown. */
interface ShownRun {
  readonly view: ViewState;
  readonly impact: ShownImpact;
  readonly xray: ViewedXray;
}

function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS));
}

function writtenCamera({ azimuth, elevation, distance, targetX, targetZ, fits }: CameraState): Views['camera'] {
  return {
    azimuth: rounded(azimuth % (2 * Math.PI)),
    elevation: rounded(elevation),
    distance: rounded(distance),
    targetX: rounded(targetX),
    targetZ: rounded(targetZ),
    ...(fits === true && { fits }),
  };
}

function writtenCameras(
  kind: CameraKind | undefined,
  placement: CameraPlacement | undefined,
): Pick<Views, 'camera' | 'cameraKind' | 'freeCameras'> {
  if (kind !== undefined) return { ...(kind !== 'perspective' && { cameraKind: kind }), freeCameras: {} };
  if (!placement) return { freeCameras: {} };
  const isUsual = JSON.stringify(placement.common) === JSON.stringify(presetCamera('perspective'));
  const free = [...placement.free].map(([key, state]) => [key, writtenCamera(state)] as const);
  return {
    ...(!isUsual && { camera: writtenCamera(placement.common) }),
    freeCameras: Object.fromEntries(free) as Views['freeCameras'],
  };
}

/** @returns what is on screen of a run, without what a new laboratory shows anyway; a usual part of the evidence is omitted */
export function viewsNow(
  { evidence }: Pick<Laboratory, 'evidence'>,
  { view, stage, xray, impact }: ShownRun & { readonly stage: Pick<StageState, 'currentStage'> },
): WrittenViews {
  const crossSection = view.crossSection.value;
  const subject = xray.subject.value;
  const viewedImpact = impact.viewed.value;
  // A branch has no name that another page knows.
  const difference = view.difference.value;
  const views: Views = {
    fields: [...view.fields.value],
    phase: view.phase.value,
    look: view.look.value,
    exaggeration: view.exaggeration.value,
    camerasLinked: view.camerasLinked.value,
    ...writtenCameras(view.camera.value, stage.currentStage.value?.cameras()),
    rangeMode: view.rangeMode.value,
    lockedRanges: view.lockedRanges.value as Views['lockedRanges'],
    freeRunCounts: view.freeRunCounts.value,
    ...(difference !== undefined && branchOf(difference) === undefined && { difference }),
    showsObservations: view.showsObservations.value,
    showsBathymetry: view.showsBathymetry.value,
    probes: view.probes.value.map(({ id, x, y }) => ({ id, x, y })),
    ...(crossSection && { crossSection }),
    hiddenMethods: [...view.hiddenMethods.value],
    ...(subject && { xray: subject }),
    ...(viewedImpact && { impact: viewedImpact }),
    ...(evidence.evidenceTab.value !== USUAL_EVIDENCE && { evidence: evidence.evidenceTab.value }),
  };
  const usual: Readonly<Record<string, unknown>> = viewsSchema.parse({});
  const differs = ([key, value]: [string, unknown]): boolean => JSON.stringify(value) !== JSON.stringify(usual[key]);
  return Object.fromEntries(Object.entries(views).filter(differs));
}

/** @returns where the cameras of these views are; at the usual place if they name none */
function camerasOf({ camera, cameraKind, freeCameras }: Views, usual: CameraKind): CameraKind | CameraPlacement {
  const free = new Map(Object.entries(freeCameras));
  if (free.size === 0 && !camera) return cameraKind ?? usual;
  return { common: camera ?? presetCamera(cameraKind ?? usual), free };
}

/**
 * Shows of a run what was on screen, or is to be; the evidence is its caller's.
 *
 * @param usual camera of views that name none
 * @param milliseconds until the cameras are there
 */
export function showViews(
  { view, xray, impact }: ShownRun,
  views: Views,
  usual: CameraKind = 'perspective',
  milliseconds: number = EASE_MILLISECONDS,
): void {
  batch(() => {
    view.fields.value = views.fields;
    view.phase.value = views.phase;
    view.look.value = views.look;
    view.exaggeration.value = views.exaggeration;
    view.camerasLinked.value = views.camerasLinked;
    view.moveCameras(camerasOf(views, usual), milliseconds);
    view.rangeMode.value = views.rangeMode;
    view.lockedRanges.value = views.lockedRanges;
    view.freeRunCounts.value = views.freeRunCounts;
    view.difference.value = views.difference;
    view.showsObservations.value = views.showsObservations;
    view.showsBathymetry.value = views.showsBathymetry;
    view.probes.value = views.probes;
    view.crossSection.value = views.crossSection;
    view.hiddenMethods.value = new Set(views.hiddenMethods);
    if (views.xray) xray.choose(views.xray);
    else xray.leave();
    impact.show(views.impact);
  });
}
