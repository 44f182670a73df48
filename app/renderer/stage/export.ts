/** The stage as a picture and as a film: what is on screen, with its titles and colour bars, for slides and papers. */
import { formatQuantity } from '../charts/numbers.ts';
import { fieldOf } from '../state/fields.ts';
import type { StageLook } from '../state/view-state.ts';
import { barredViews } from './barred-views.ts';
import { COLOUR_MAP_SIZE, cssColour, mapOfScale } from './colour-maps.ts';
import { barTexts, barTitle } from './overlays/colour-bar.tsx';
import { PALETTES } from './palette.ts';
import type { Stage } from './stage.ts';
import type { DrawnView } from './stage-model.ts';

/** Pixels of the picture for one of the screen. */
export const PICTURE_SCALE = 2;
/** Frames a second of a film; a still stage adds none. */
const FILM_RATE = 30;
const FILM_TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const FONT = "'Inter Variable', system-ui, sans-serif";

export interface PictureTitle {
  /** A view's subject. */
  readonly subject: string;
  readonly title: string;
  readonly colour: string;
  /** m; undefined where there is none. */
  readonly rmse: number | undefined;
}

export interface PictureOptions {
  readonly theme: 'dark' | 'light';
  readonly look: StageLook;
  readonly titles: readonly PictureTitle[];
}

function drawTitle(context: CanvasRenderingContext2D, view: DrawnView, { theme, titles }: PictureOptions): void {
  const { ink, quiet } = PALETTES[theme];
  const { x, y } = view.rect;
  const found = titles.find(({ subject }) => subject === view.subject);
  context.fillStyle = found?.colour ?? ink;
  context.fillRect(x + 12, y + 16, 16, 3);
  context.fillStyle = ink;
  context.font = `600 15px ${FONT}`;
  context.textAlign = 'left';
  context.fillText(found?.title ?? view.subject, x + 36, y + 22);
  context.fillStyle = quiet;
  context.font = `400 12px ${FONT}`;
  const { title } = fieldOf(view.field);
  const score = found?.rmse === undefined ? '' : `, RMSE ${formatQuantity(found.rmse, 'm')}`;
  context.fillText(`${title}${score}`, x + 12, y + 41);
}

function drawColourBar(context: CanvasRenderingContext2D, view: DrawnView, theme: 'dark' | 'light'): void {
  const { ink, quiet } = PALETTES[theme];
  const { scale } = fieldOf(view.field);
  const map = mapOfScale(scale, view.field);
  const width = Math.max(80, Math.min(200, view.rect.width * 0.42));
  const left = view.rect.x + view.rect.width - width - 24;
  const top = view.rect.y + view.rect.height - 30;
  const step = width / COLOUR_MAP_SIZE;
  for (let n = 0; n < COLOUR_MAP_SIZE; n++) {
    context.fillStyle = cssColour(map, n / (COLOUR_MAP_SIZE - 1));
    context.fillRect(left + n * step, top, step + 0.5, 8);
  }
  context.font = `400 11px ${FONT}`;
  context.fillStyle = ink;
  context.textAlign = 'center';
  for (const [n, text] of barTexts(view.range).entries()) context.fillText(text, left + (n / 2) * width, top + 21);
  context.fillStyle = quiet;
  context.textAlign = 'right';
  context.fillText(barTitle(view.field, view.range), left + width, top - 5);
}

/**
 * @returns the stage as a PNG at twice the screen's resolution, with titles and colour bars
 * @throws Error when the stage shows nothing yet, or the picture is larger than the browser can make
 */
export function stagePicture(stage: Stage, options: PictureOptions): Promise<Blob> {
  const picture = stage.capture(PICTURE_SCALE, (canvas, frame) => {
    const copy = document.createElement('canvas');
    copy.width = canvas.width;
    copy.height = canvas.height;
    const context = copy.getContext('2d');
    if (!context) throw new Error('this browser cannot draw the picture');
    context.drawImage(canvas, 0, 0);
    const ratio = canvas.width / Math.max(1, canvas.clientWidth);
    context.scale(ratio, ratio);
    for (const view of frame.views) {
      drawTitle(context, view, options);
    }
    for (const view of barredViews(frame.views, options.look)) drawColourBar(context, view, options.theme);
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
  /** Ends the film. @returns it as WebM */
  finish(): Promise<Blob>;
}

/**
 * Films the stage from now on: each frame that is drawn.
 * @throws Error where the browser cannot record
 */
export function filmStage(canvas: HTMLCanvasElement): Film {
  const type = FILM_TYPES.find((each) => MediaRecorder.isTypeSupported(each));
  if (type === undefined) throw new Error('this browser cannot record WebM');
  const stream = canvas.captureStream(FILM_RATE);
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 12_000_000 });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => parts.push(data));
  const ended = new Promise<void>((resolve) => {
    recorder.addEventListener('stop', () => resolve(), { once: true });
  });
  recorder.start(1000);
  return {
    async finish() {
      if (recorder.state !== 'inactive') recorder.stop();
      await ended;
      for (const track of stream.getTracks()) track.stop();
      return new Blob(parts, { type: 'video/webm' });
    },
  };
}
