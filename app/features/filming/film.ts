/** A film of stored cycles, made frame by frame: the time that a frame takes to draw does not matter to it. */
import {
  BufferTarget,
  CanvasSource,
  getFirstEncodableVideoCodec,
  Mp4OutputFormat,
  Output,
  QUALITY_VERY_HIGH,
  WebMOutputFormat,
  type VideoCodec,
} from 'mediabunny';
import { StoppedError } from '../../../engine/index.ts';
import type { RunView } from '../../document/run-view.ts';
import { nextTask } from '../../page/render-pace.ts';
import { openStudio, FILM_SIZES, type Studio, type WordsOf } from '../../stage/export.ts';
import type { Stage } from '../../stage/stage.ts';
import { frameTime, stillFrames, wayFrames, type FilmChoice } from './film-choice.ts';

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

/** Encodes pictures of a studio as they come. @param frames calls back for each of them */
async function encode(
  { canvas }: Studio,
  codec: VideoCodec,
  rate: number,
  frames: (add: () => Promise<void>) => Promise<void>,
): Promise<FilmFile> {
  const [ending, format] =
    codec === 'avc' ? (['mp4', new Mp4OutputFormat()] as const) : (['webm', new WebMOutputFormat()] as const);
  const target = new BufferTarget();
  const output = new Output({ format, target });
  const source = new CanvasSource(canvas, { codec, quality: QUALITY_VERY_HIGH });
  let done = 0;
  try {
    output.addVideoTrack(source, { frameRate: rate });
    await output.start();
    await frames(async () => {
      await source.add(done / rate, 1 / rate);
      done += 1;
    });
    await output.finalize();
  } catch (error) {
    await output.cancel();
    throw error;
  }
  if (!target.buffer) throw new Error('the encoder gave no film');
  return { ending, type: `video/${ending}`, bytes: new Uint8Array(target.buffer) };
}

/**
 * @throws StoppedError if it is cancelled
 * @throws Error if the stage shows nothing yet, the browser cannot encode that size, or the run plays meanwhile
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
  const { runNumber, playing, cycle: shown } = course;
  const [run, before] = [runNumber.value, shown.value];
  const [first, ...others] = course.shownCycles.value.filter((cycle) => cycle >= choice.from && cycle <= choice.to);
  await course.bring(first);
  course.showCycle(first);
  let studio: Studio | undefined;
  try {
    const opened = openStudio(stage, wordsOf, choice.size);
    studio = opened;
    return await encode(opened, codec, choice.rate, async (add) => {
      const step = frameTime(choice);
      /** Milliseconds: the time of the film continues that of the page, by which cameras move. */
      const begun = Math.ceil(performance.now());
      let done = 0;
      const draw = async (): Promise<void> => {
        if (signal.aborted) throw new StoppedError('the film was cancelled');
        if (playing.value || runNumber.value !== run) throw new Error('the run was played or changed meanwhile');
        opened.draw(begun + done * step);
        await add();
        done += 1;
        onFrame(done);
        // Progress is drawn, and the button that cancels can be pressed.
        await nextTask();
      };
      for (let still = 0; still < stillFrames(choice); still++) await draw();
      const frames = wayFrames(choice);
      for (const cycle of others) {
        await course.bring(cycle);
        // If the way is not kept, there is a cut.
        if (!course.setOut(cycle, frames * step, begun + (done - 1) * step)) course.showCycle(cycle);
        for (let frame = 1; frame <= frames; frame++) await draw();
        course.showCycle(cycle);
      }
      for (let still = 0; still < stillFrames(choice); still++) await draw();
    });
  } finally {
    studio?.close();
    if (runNumber.value === run) course.showCycle(before);
  }
}
