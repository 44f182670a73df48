/** What the stage adds to the commands: its looks, its tool, and its pictures. */
import { signal } from '@preact/signals';
import { registerCommands } from '../state/commands.ts';
import type { Command } from '../state/commands.ts';
import { host } from '../state/environment.ts';
import { TRUTH_STYLE } from '../state/method-style.ts';
import { notify } from '../state/notices.ts';
import { resolvedTheme } from '../state/preferences.ts';
import { currentDiagnostics, cycle, info, styles } from '../state/session-state.ts';
import { look, phase } from '../state/view-state.ts';
import { filmStage, stagePicture } from './export.ts';
import type { Film, PictureTitle } from './export.ts';
import { currentStage, cuttingTool } from './stage-state.ts';

/** The film that is being taken. */
export const film = signal<Film | undefined>(undefined);

function pictureTitles(): readonly PictureTitle[] {
  const theme = resolvedTheme.value;
  return [TRUTH_STYLE, ...styles.value].map((style) => {
    const rmse = currentDiagnostics.value.get(style.label)?.rmse[phase.value];
    return {
      subject: style.label,
      title: style.title,
      colour: style[theme],
      rmse: rmse && Object.values(rmse)[0],
    };
  });
}

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
  const blob = await stagePicture(stage, {
    theme: resolvedTheme.value,
    look: look.value,
    titles: pictureTitles(),
  });
  await save(fileName('png'), blob);
}

async function toggleFilm(): Promise<void> {
  const running = film.value;
  if (running) {
    film.value = undefined;
    await save(fileName('webm'), await running.finish());
    return;
  }
  const stage = currentStage.value;
  if (stage) film.value = filmStage(stage.canvas);
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
    title: 'Film the stage (WebM)',
    keywords: 'export video record stop',
    enabled: isDrawn,
    checked: () => film.value !== undefined,
    run: () => told('The film was not saved', toggleFilm),
  },
];

/** @returns what takes the commands away again */
export function registerStageCommands(): () => void {
  return registerCommands(COMMANDS);
}
