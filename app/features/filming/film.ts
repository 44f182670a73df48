/** A film of stored cycles, made frame by frame: the time that a frame takes to draw does not matter to it. */
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  QUALITY_VERY_HIGH,
  WebMOutputFormat,
} from 'mediabunny';
import { StoppedError } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import { openStudio, FILM_SIZES, type WordsOf } from '../../stage/export.ts';
import type { Stage } from '../../stage/stage.ts';
import { stillFrames, wayFrames, type FilmChoice } from './film-choice.ts';

/** Everybody plays the first; browsers without it encode the others. */
const CODECS = ['avc', 'vp9', 'av1', 'vp8'] as const;

export interface FilmFile {
  /** `mp4` or `webm`. */
  readonly ending: string;
  readonly type: string;
  readonly bytes: Uint8Array;
}

export interface FilmOptions {
  readonly signal: AbortSignal;
  /** Called after each frame. */
  readonly onFrame: (done: number) => void;
}

/** A turn of the thread: progress is drawn, and the button that cancels can be pressed. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve);
  });
}

/**
 * @throws StoppedError if it is cancelled
 * @throws Error if the stage shows nothing yet, or the browser cannot encode that size
 */
export async function makeFilm(
  { course, controller }: RunView,
  stage: Stage,
  wordsOf: WordsOf,
  choice: FilmChoice,
  { signal, onFrame }: FilmOptions,
): Promise<FilmFile> {
  const { width, height } = FILM_SIZES[choice.size];
  const codec = await getFirstEncodableVideoCodec([...CODECS], { width, height, quality: QUALITY_VERY_HIGH });
  if (codec === null) throw new Error(`this browser cannot encode a film of ${width} × ${height} pixels`);
  controller.pause();
  const before = course.cycle.value;
  const cycles = course.shownCycles.value.filter((cycle) => cycle >= choice.from && cycle <= choice.to);
  await course.bring(cycles[0]);
  course.showCycle(cycles[0]);
  const isMp4 = codec === 'avc';
  const target = new BufferTarget();
  const output = new Output({ format: isMp4 ? new Mp4OutputFormat() : new WebMOutputFormat(), target });
  const studio = openStudio(stage, wordsOf, choice.size);
  const source = new CanvasSource(studio.canvas, { codec, quality: QUALITY_VERY_HIGH });
  let done = 0;
  const addFrame = async (now?: number): Promise<void> => {
    if (signal.aborted) throw new StoppedError('the film was cancelled');
    studio.draw(now);
    await source.add(done / choice.rate, 1 / choice.rate);
    done += 1;
    onFrame(done);
    await turn();
  };
  try {
    output.addVideoTrack(source, { frameRate: choice.rate });
    await output.start();
    for (let still = 0; still < stillFrames(choice); still++) await addFrame();
    const frames = wayFrames(choice);
    const duration = 1000 * choice.secondsPerCycle;
    for (const cycle of cycles.slice(1)) {
      await course.bring(cycle);
      // If the way is not kept, there is a cut.
      const moves = course.setOut(cycle, duration, 0);
      if (!moves) course.showCycle(cycle);
      for (let frame = 1; frame <= frames; frame++) await addFrame(moves ? (frame / frames) * duration : undefined);
      course.showCycle(cycle);
    }
    for (let still = 0; still < stillFrames(choice); still++) await addFrame();
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  } finally {
    studio.close();
    course.showCycle(before);
  }
  if (!target.buffer) throw new Error('the encoder gave no film');
  const container = isMp4 ? 'mp4' : 'webm';
  return { ending: container, type: `video/${container}`, bytes: new Uint8Array(target.buffer) };
}
