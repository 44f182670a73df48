/** The stage as a picture and as a film: its views with their titles, the scenario, the time and the colour bars burnt in. */
import { drawPicture, footOf, type PictureWords } from './picture/draw-words.ts';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';

/** Pixels of the picture for one of the screen. */
const PICTURE_SCALE = 2;
/** Frames a second of a film; a still stage adds none. */
const FILM_RATE = 30;
const FILM_TYPES = [
  'video/webm;codecs=vp9',
  'video/webm;codecs=vp8',
  'video/webm',
  'video/mp4;codecs=avc1.42E01E',
  'video/mp4',
];
/** Bits a second: sharp words at the size of a large screen. */
const FILM_BITS = 16_000_000;

/** @returns what is written over a frame that was just drawn */
export type WordsOf = (frame: DrawnFrame, canvas: HTMLCanvasElement) => PictureWords;

/** @throws Error where the browser gives no canvas of that size */
function canvasOf(width: number, height: number): readonly [HTMLCanvasElement, CanvasRenderingContext2D] {
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('this browser cannot draw the picture');
  return [canvas, context];
}

/**
 * @returns the stage as a PNG at twice the screen's resolution, with everything that is read
 * @throws Error when the stage shows nothing yet, or the picture is larger than the browser can make
 */
export function stagePicture(stage: Stage, wordsOf: WordsOf): Promise<Blob> {
  const picture = stage.capture(PICTURE_SCALE, (canvas, frame) => {
    const words = wordsOf(frame, canvas);
    const ratio = canvas.width / Math.max(1, words.width);
    const [, measuring] = canvasOf(1, 1);
    const foot = footOf(measuring, words);
    const [copy, context] = canvasOf(canvas.width, Math.round((words.height + foot.height) * ratio));
    context.scale(ratio, ratio);
    drawPicture(context, canvas, words, foot);
    return copy;
  });
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('the picture is too large; make the window smaller'));
    }, 'image/png');
  });
}

export interface Film {
  /** Ending of the file: `webm` or `mp4`. */
  readonly ending: string;
  /** Ends the film. */
  finish(): Promise<Blob>;
}

/** Codecs want whole blocks of two pixels. */
function even(value: number): number {
  return 2 * Math.max(1, Math.round(value / 2));
}

/**
 * Films the stage from now on: each frame that is drawn, with everything that is read. The film keeps the size that the stage
 * has now; a stage that changes its own is fitted into it.
 * @param onFrame calls back after each frame, while it can still be copied from the canvas
 * @throws Error where the browser cannot record
 */
export function filmStage(
  stage: Stage,
  wordsOf: WordsOf,
  onFrame: (listener: (frame: DrawnFrame) => void) => () => void,
): Film {
  const type = FILM_TYPES.find((each) => MediaRecorder.isTypeSupported(each));
  if (type === undefined) throw new Error('this browser can record neither WebM nor MP4');
  const ratio = Math.min(2, Math.max(1, globalThis.devicePixelRatio));
  let film: readonly [HTMLCanvasElement, CanvasRenderingContext2D] | undefined;
  const compose = (canvas: HTMLCanvasElement, frame: DrawnFrame): void => {
    const words = wordsOf(frame, canvas);
    const [, measuring] = film ?? canvasOf(1, 1);
    const foot = footOf(measuring, words);
    const [width, height] = [words.width, words.height + foot.height];
    film ??= canvasOf(even(width * ratio), even(height * ratio));
    const [target, context] = film;
    const fit = Math.min(target.width / width, target.height / height);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, target.width, target.height);
    context.setTransform(fit, 0, 0, fit, (target.width - fit * width) / 2, (target.height - fit * height) / 2);
    drawPicture(context, canvas, words, foot);
  };
  stage.capture(ratio / globalThis.devicePixelRatio, compose);
  if (!film) throw new Error('the stage shows nothing yet');
  const [canvas] = film;
  const stream = canvas.captureStream(FILM_RATE);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: FILM_BITS });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const ended = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve(), { once: true });
  });
  const forget = onFrame((frame) => compose(stage.canvas, frame));
  recorder.start(1000);
  const [container] = type.split(';');
  return {
    ending: container.slice('video/'.length),
    async finish() {
      forget();
      if (recorder.state !== 'inactive') recorder.stop();
      await ended;
      for (const track of stream.getTracks()) track.stop();
      return new Blob(parts, { type: container });
    },
  };
}
