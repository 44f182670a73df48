/** What the stage adds to the commands: its looks, its tool, and its pictures. */
import { effect, signal, untracked } from '@preact/signals';
import { registerCommands } from '../state/commands.ts';
import type { Command } from '../state/commands.ts';
import { host } from '../state/environment.ts';
import { notify } from '../state/notices.ts';
import { cycle, info } from '../state/session-state.ts';
import { look } from '../state/view-state.ts';
import { filmStage, stagePicture } from './export.ts';
import type { Film } from './export.ts';
import { wordsNow } from './picture/words-now.ts';
import type { DrawnFrame } from './stage-model.ts';
import { currentStage, cuttingTool, drawnFrame } from './stage-state.ts';

/** The film that is being taken. */
export const film = signal<Film | undefined>(undefined);

function fileName(ending: string): string {
  return `${info.value?.scenario.name ?? 'shoal'}-cycle-${String(cycle.value)}.${ending}`;
}

async function save(name: string, blob: Blob): Promise<void> {
  const written = await host().save(name, blob.type, new Uint8Array(await blob.arrayBuffer()));
  if (written !== undefined) notify('information', `Saved ${written}`);
}

/** Says on the screen what went wrong. */
async function told(title: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    notify('error', title, { lines: [error instanceof Error ? error.message : String(error)] });
  }
}

async function savePicture(): Promise<void> {
  const stage = currentStage.value;
  if (!stage) return;
  await save(fileName('png'), await stagePicture(stage, wordsNow));
}

async function toggleFilm(): Promise<void> {
  const running = film.value;
  if (running) {
    film.value = undefined;
    await save(fileName(running.ending), await running.finish());
    return;
  }
  const stage = currentStage.value;
  if (stage) film.value = filmStage(stage, wordsNow, onFrame);
}

/** Calls back as soon as a frame was drawn, before the canvas gives it away. @returns what ends that */
function onFrame(listener: (frame: DrawnFrame) => void): () => void {
  return effect(() => {
    const frame = drawnFrame.value;
    if (frame) untracked(() => listener(frame));
  });
}

const isDrawn = (): boolean => currentStage.value !== undefined;

const COMMANDS: readonly Command[] = [
  {
    id: 'stage.photoreal',
    group: 'Stage',
    title: 'Water as it would look',
    keywords: 'photoreal realistic',
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
    run: () => told('The picture was not saved', savePicture),
  },
  {
    id: 'stage.film',
    group: 'Stage',
    title: 'Film the stage',
    keywords: 'export video record stop webm mp4',
    enabled: isDrawn,
    checked: () => film.value !== undefined,
    run: () => told('The film was not saved', toggleFilm),
  },
];

/** @returns what takes the commands away again */
export function registerStageCommands(): () => void {
  return registerCommands(COMMANDS);
}
