/** What the stage shows: fields, cameras, colour ranges; and its looks, its tool and its pictures, which need the stage itself. */
import { saveFile } from '../../page/notices.ts';
import type { Command } from '../../page/commands.ts';
import { FIELDS, fieldIn, hasField, inSentence } from '../../fields/fields.ts';
import type { CameraKind } from '../../document/views/cameras.ts';
import type { RunView } from '../../document/run-view.ts';
import type { RangeMode } from '../../document/views/view-state.ts';
import { STAGE_PANEL } from '../../page/own-windows.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { stagePicture } from '../../stage/export.ts';
import { wordsNow } from '../../stage/view-words.ts';
import { stageOf } from '../../stage/stage-state.ts';

/** Fields that have a digit for a key. */
const KEYED = 9;

const RANGES: readonly { readonly id: RangeMode; readonly title: string }[] = [
  { id: 'auto', title: 'Colour range of each view by itself' },
  { id: 'shared', title: 'Colour range shared by the views of a field' },
  { id: 'locked', title: 'Colour range locked' },
];

/** Where the cameras can be, and the two that move by themselves. */
export const CAMERAS: readonly {
  readonly id: CameraKind;
  readonly title: string;
  readonly shortcut?: string;
  readonly keywords: string;
  /** A ring has no wave to follow. */
  readonly ofWater?: boolean;
}[] = [
  { id: 'perspective', title: 'Camera at an angle', shortcut: 'V', keywords: 'oblique reset' },
  { id: 'stage', title: 'Camera for the stage', keywords: 'wide hall' },
  { id: 'top', title: 'Camera from above', keywords: 'top map' },
  { id: 'side', title: 'Camera from the side', keywords: 'east' },
  { id: 'front', title: 'Camera from the front', keywords: 'south' },
  {
    id: 'wave',
    title: 'Camera follows the highest wave',
    shortcut: 'W',
    keywords: 'track chase move crest',
    ofWater: true,
  },
  { id: 'orbit', title: 'Camera circles slowly', shortcut: 'Shift+V', keywords: 'orbit turn rotate move around' },
];

/** What can be done with the views. */
export function stageCommands(run: RunView): readonly Command[] {
  const {
    field,
    setField,
    world,
    phase,
    camera,
    camerasLinked,
    moveCameras,
    showsObservations,
    showsBathymetry,
    rangeMode,
    freeRunCounts,
    probes,
    crossSection,
    clearPins,
  } = run.view;
  return [
    ...FIELDS.map(({ id }, index): Command => ({
      id: `stage.field-${id}`,
      group: 'Stage',
      get title() {
        return `Show ${inSentence(fieldIn(world.value, id).title)}`;
      },
      ...(index < KEYED && { shortcuts: [String(index + 1)] }),
      keywords: 'field',
      enabled: () => hasField(world.value, id),
      checked: () => field.value === id,
      run: () => setField(id),
    })),
    {
      id: 'stage.phase',
      group: 'Stage',
      title: 'Forecast in place of analysis',
      shortcuts: ['A'],
      checked: () => phase.value === 'forecast',
      run: () => {
        phase.value = phase.value === 'forecast' ? 'analysis' : 'forecast';
      },
    },
    {
      id: 'stage.link-cameras',
      group: 'Stage',
      title: 'Cameras linked',
      shortcuts: ['L'],
      checked: () => camerasLinked.value,
      run: () => {
        camerasLinked.value = !camerasLinked.value;
      },
    },
    ...CAMERAS.map(({ id, title, shortcut, keywords, ofWater = false }): Command => ({
      id: `stage.camera-${id}`,
      group: 'Stage',
      title,
      ...(shortcut !== undefined && { shortcuts: [shortcut] }),
      keywords: `view preset ${keywords}`,
      enabled: () => !(ofWater && world.value?.isRing),
      checked: () => camera.value === id,
      run: () => moveCameras(id),
    })),
    {
      id: 'stage.observations',
      group: 'Stage',
      title: 'Observations',
      shortcuts: ['O'],
      checked: () => showsObservations.value,
      run: () => {
        showsObservations.value = !showsObservations.value;
      },
    },
    {
      id: 'stage.bathymetry',
      group: 'Stage',
      title: 'Bathymetry',
      shortcuts: ['B'],
      enabled: () => !world.value?.isRing,
      checked: () => showsBathymetry.value,
      run: () => {
        showsBathymetry.value = !showsBathymetry.value;
      },
    },
    ...RANGES.map(({ id, title }): Command => ({
      id: `stage.range-${id}`,
      group: 'Stage',
      title,
      checked: () => rangeMode.value === id,
      run: () => {
        rangeMode.value = id;
      },
    })),
    {
      id: 'stage.free-run-counts',
      group: 'Stage',
      title: 'The free run counts in the ranges of errors',
      keywords: 'colour scale increment spread',
      checked: () => freeRunCounts.value,
      run: () => {
        freeRunCounts.value = !freeRunCounts.value;
      },
    },
    {
      id: 'stage.clear-pins',
      group: 'Stage',
      title: 'Remove probes and cross-section',
      enabled: () => probes.value.length > 0 || crossSection.value !== undefined,
      run: clearPins,
    },
  ];
}

async function savePicture(laboratory: Laboratory, run: RunView): Promise<void> {
  const stage = stageOf(run).currentStage.value;
  if (!stage) return;
  const picture = await stagePicture(stage, (frame) => wordsNow(laboratory, run, frame));
  const { info, cycle } = run.course;
  const name = `${info.value?.scenario.name ?? 'shoal'}-cycle-${String(cycle.value)}.png`;
  await saveFile(laboratory, name, picture.type, new Uint8Array(await picture.arrayBuffer()));
}

function pictureCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const {
    notices: { notifyFailure },
    overlays: { openOverlay },
    ownWindows: { panels, toggle },
    preferences: { density },
  } = laboratory;
  const {
    view: { world },
  } = run;
  const { currentStage, cuttingTool, shownLook, toggleLook } = stageOf(run);
  const isDrawn = (): boolean => currentStage.value !== undefined;
  return [
    {
      id: 'stage.photoreal',
      group: 'Stage',
      title: 'Water as it would look',
      keywords: 'photoreal realistic simple colours',
      enabled: () => !world.value?.isRing,
      checked: () => shownLook.value === 'photoreal',
      run: toggleLook,
    },
    {
      id: 'stage.cut',
      group: 'Stage',
      title: 'Draw a cross-section by dragging',
      keywords: 'section transect',
      checked: () => cuttingTool.value,
      run: () => {
        cuttingTool.value = !cuttingTool.value;
      },
    },
    {
      id: 'stage.save-picture',
      group: 'Stage',
      title: 'Save the stage as a picture (PNG)',
      keywords: 'export image screenshot 4K',
      enabled: isDrawn,
      run: () =>
        savePicture(laboratory, run).catch((error: unknown) => notifyFailure('The picture was not saved', error)),
    },
    {
      id: 'stage.film',
      group: 'Stage',
      title: 'Make a film…',
      keywords: 'export video record webm mp4',
      enabled: isDrawn,
      run: () => openOverlay('film'),
    },
    {
      id: 'stage.own-window',
      group: 'Stage',
      title: 'Stage in its own window',
      shortcuts: ['Shift+W'],
      keywords: 'detach separate pop out second screen monitor projector',
      enabled: () => density.value === 'researcher' || panels.value.has(STAGE_PANEL.id),
      checked: () => panels.value.has(STAGE_PANEL.id),
      run: () => toggle(STAGE_PANEL),
    },
  ];
}

/** @returns what takes the commands away again */
export function registerStageCommands(laboratory: Laboratory, run: RunView): () => void {
  const { registerCommands } = laboratory.commands;
  return registerCommands(pictureCommands(laboratory, run));
}
