/** The stage as a picture, or as the pictures of a film: its views with their titles, the scenario, the time and the colour bars burnt in. */
import { drawPicture, footOf, type PictureWords } from './picture/draw-words.ts';
import type { Stage } from './stage.ts';
import type { DrawnFrame } from './stage-model.ts';

/** CSS pixels of a film: words are as large as on a small screen. */
const LAYOUT = { width: 1280, height: 720 };

/** Sizes of films, pixels. */
export const FILM_SIZES = {
  '1080p': { width: 1920, height: 1080 },
  '4K': { width: 3840, height: 2160 },
} as const;
export type FilmSize = keyof typeof FILM_SIZES;

/** @returns what is written over a frame that was just drawn */
export type WordsOf = (frame: DrawnFrame) => PictureWords;

/** @throws Error where the browser gives no canvas of that size */
function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext('2d', { alpha: false });
  if (!context) throw new Error('this browser cannot draw the picture');
  return context;
}

/** The stage in a size of its own. While it is there, nothing is drawn on screen. */
export interface Studio {
  /** The last picture, of the size in pixels. */
  readonly canvas: HTMLCanvasElement;
  /** Draws the stage as it is at a time. @param now of what moves, ms */
  draw(now: number): void;
  close(): void;
}

/**
 * @throws Error if the stage shows nothing yet, or the browser makes no picture of that size
 */
export function openStudio(stage: Stage, wordsOf: WordsOf, size: FilmSize): Studio {
  const canvas = document.createElement('canvas');
  Object.assign(canvas, FILM_SIZES[size]);
  const context = contextOf(canvas);
  const ratio = canvas.width / LAYOUT.width;
  const close = (): void => stage.hold(undefined);
  try {
    stage.hold(LAYOUT);
    const foot = stage.capture(ratio, (_, frame) => footOf(context, wordsOf(frame)));
    // What is written under the views takes its room from them, and keeps it.
    stage.hold({ width: LAYOUT.width, height: LAYOUT.height - Math.ceil(foot.height) });
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return {
      canvas,
      draw: (now) => stage.capture(ratio, (drawn, frame) => drawPicture(context, drawn, wordsOf(frame), foot), now),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

/** Pixels of a picture from left to right. */
const PICTURE_WIDTH = 3840;

/**
 * @returns the stage as it is on screen as a PNG of 3840 pixels across, with everything that is read
 * @throws Error when the stage shows nothing yet, or the picture is larger than the browser can make
 */
export function stagePicture(stage: Stage, wordsOf: WordsOf): Promise<Blob> {
  const ratio = PICTURE_WIDTH / Math.max(1, stage.canvas.clientWidth);
  const picture = stage.capture(ratio, (drawn, frame) => {
    const words = wordsOf(frame);
    const copy = document.createElement('canvas');
    copy.width = PICTURE_WIDTH;
    const foot = footOf(contextOf(copy), words);
    copy.height = Math.round((words.height + foot.height) * ratio);
    const context = contextOf(copy);
    context.scale(ratio, ratio);
    drawPicture(context, drawn, words, foot);
    return copy;
  });
  return new Promise((resolve, reject) => {
    picture.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('this browser can make no picture of that size; make the window wider'));
    }, 'image/png');
  });
}
