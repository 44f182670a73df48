/** What the stage adds to the commands: its looks, its tool, and its pictures. */
import { effect, untracked } from '@preact/signals';
import type { Laboratory } from '../../page/laboratory.ts';
import type { RunView } from '../../document/run-view.ts';
import type { Command } from '../../page/commands.ts';
import { filmStage, stagePicture } from '../../stage/export.ts';
import { wordsNow } from '../../stage/picture/words-now.ts';
import type { DrawnFrame } from '../../stage/stage-model.ts';
import { stageOf } from '../../stage/stage-state.ts';

function fileName(run: RunView, ending: string): string {
  const { info, cycle } = run.course;
  return `${info.value?.scenario.name ?? 'shoal'}-cycle-${String(cycle.value)}.${ending}`;
}

async function save(laboratory: Laboratory, name: string, blob: Blob): Promise<void> {
  const {
    host,
    notices: { notify },
  } = laboratory;
  const written = await host.save(name, blob.type, new Uint8Array(await blob.arrayBuffer()));
  if (written !== undefined) notify('information', `Saved ${written}`);
}

/** Says on the screen what went wrong. */
async function told(laboratory: Laboratory, title: string, work: () => Promise<void>): Promise<void> {
  const { notify } = laboratory.notices;
  try {
    await work();
  } catch (error) {
    notify('error', title, { lines: [error instanceof Error ? error.message : String(error)] });
  }
}

function wordsOf(laboratory: Laboratory, run: RunView): Parameters<typeof stagePicture>[1] {
  return (frame, canvas) => wordsNow(laboratory, run, frame, canvas);
}

async function savePicture(laboratory: Laboratory, run: RunView): Promise<void> {
  const { currentStage } = stageOf(run);
  const stage = currentStage.value;
  if (!stage) return;
  await save(laboratory, fileName(run, 'png'), await stagePicture(stage, wordsOf(laboratory, run)));
}

async function toggleFilm(laboratory: Laboratory, run: RunView): Promise<void> {
  const { film, currentStage } = stageOf(run);
  const running = film.value;
  if (running) {
    film.value = undefined;
    await save(laboratory, fileName(run, running.ending), await running.finish());
    return;
  }
  const stage = currentStage.value;
  if (stage) film.value = filmStage(stage, wordsOf(laboratory, run), (listener) => onFrame(run, listener));
}

/** Calls back as soon as a frame was drawn, before the canvas gives it away. @returns what ends that */
function onFrame(run: RunView, listener: (frame: DrawnFrame) => void): () => void {
  const { drawnFrame } = stageOf(run);
  return effect(() => {
    const frame = drawnFrame.value;
    if (frame) untracked(() => listener(frame));
  });
}

function stageCommands(laboratory: Laboratory, run: RunView): readonly Command[] {
  const {
    view: { look, world },
  } = run;
  const { currentStage, cuttingTool, film } = stageOf(run);
  const isDrawn = (): boolean => currentStage.value !== undefined;
  return [
    {
      id: 'stage.photoreal',
      group: 'Stage',
      title: 'Water as it would look',
      keywords: 'photoreal realistic',
      enabled: () => !world.value?.isRing,
      checked: () => look.value === 'photoreal',
      run: () => {
        look.value = look.value === 'photoreal' ? 'colour-mapped' : 'photoreal';
      },
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
      keywords: 'export image screenshot',
      enabled: isDrawn,
      run: () => told(laboratory, 'The picture was not saved', () => savePicture(laboratory, run)),
    },
    {
      id: 'stage.film',
      group: 'Stage',
      title: 'Film the stage',
      keywords: 'export video record stop webm mp4',
      enabled: isDrawn,
      checked: () => film.value !== undefined,
      run: () => told(laboratory, 'The film was not saved', () => toggleFilm(laboratory, run)),
    },
  ];
}

/** @returns what takes the commands away again */
export function registerStageCommands(laboratory: Laboratory, run: RunView): () => void {
  const { registerCommands } = laboratory.commands;
  return registerCommands(stageCommands(laboratory, run));
}
