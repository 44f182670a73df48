/** Size and orientation: a scale bar in metres and the axes, lower left in each row's first view. */
import { formatNumber } from '../../format/numbers.ts';
import { distanceText } from '../../document/views/place-text.ts';
import type { DrawnView, ScreenPoint } from '../stage-model.ts';
import { useViewRoom } from './view-room.ts';

/** Length of an axis of the gnomon and its middle, in the picture's own units. */
const AXIS = 17;
const CENTRE = 24;
/** The scale bar is at most that long, pixels. */
const LONGEST = 64;

/** @returns a round number of metres and the pixels it takes */
function scaleBar(metresPerPixel: number): { readonly metres: number; readonly pixels: number } {
  const most = LONGEST * metresPerPixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((each) => each * power <= most) ?? 1;
  return { metres: step * power, pixels: (step * power) / metresPerPixel };
}

function Axis({ direction, name }: { readonly direction: ScreenPoint; readonly name: string }) {
  const [x, y] = [CENTRE + AXIS * direction.x, CENTRE + AXIS * direction.y];
  const size = Math.hypot(direction.x, direction.y);
  const [labelX, labelY] = [
    CENTRE + (AXIS + 7 / Math.max(size, 0.5)) * direction.x,
    CENTRE + (AXIS + 7 / Math.max(size, 0.5)) * direction.y,
  ];
  return (
    <g opacity={size < 0.2 ? 0 : 1}>
      <line class="gnomon-axis" x1={CENTRE} y1={CENTRE} x2={x} y2={y} />
      <text class="gnomon-name" x={labelX} y={labelY} dy="0.34em" text-anchor="middle">
        {name}
      </text>
    </g>
  );
}

interface MeasuresProperties {
  readonly view: DrawnView;
  /** The cycle at which the exaggeration last fell. */
  readonly loweredAt: number | undefined;
}

function exaggerationHelp(loweredAt: number | undefined): string {
  const held = 'Heights are drawn this many times as high as lengths';
  if (loweredAt === undefined) return held;
  return `${held}; held for the run, lowered at cycle ${String(loweredAt)}, where waves grew higher`;
}

export function Measures({ view, loweredAt }: MeasuresProperties) {
  const [gnomon, line] = [useViewRoom<HTMLDivElement>('axes'), useViewRoom<HTMLDivElement>('measures')];
  const { metres, pixels } = scaleBar(view.metresPerPixel);
  const { axes, exaggeration } = view;
  return (
    <>
      <div class="gnomon" ref={gnomon}>
        <svg
          viewBox={`0 0 ${2 * CENTRE} ${2 * CENTRE}`}
          role="img"
          aria-label="Directions: x to the east, y to the north, z up"
        >
          <Axis direction={axes.east} name="x" />
          <Axis direction={axes.north} name="y" />
          <Axis direction={axes.up} name="z" />
        </svg>
      </div>
      <div class="measures" ref={line}>
        <span class="scale-bar" role="img" aria-label={`Scale: ${distanceText(metres)}`}>
          {/* Its room is that of the longest, so that a bar of another length moves nothing. */}
          <span class="scale-bar-room" style={{ minWidth: `calc(${LONGEST}px + 2.75rem)` }}>
            <i style={{ width: `${pixels}px` }} />
            {distanceText(metres)}
          </span>
        </span>
        <span class="exaggeration" title={exaggerationHelp(loweredAt)}>
          {`z ×${grouped(exaggeration)}`}
          {loweredAt !== undefined && `, from cycle ${String(loweredAt)}`}
        </span>
      </div>
    </>
  );
}

/** @returns a whole number with thin spaces between thousands, others in three digits */
function grouped(value: number): string {
  return value >= 1000 ? value.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, '\u2009') : formatNumber(value);
}

/** Whether lengths, heights and directions are the same in both views; heights of views may differ by a pixel. */
function looksAlike(a: DrawnView, b: DrawnView): boolean {
  return (
    a.exaggeration === b.exaggeration &&
    Math.abs(a.metresPerPixel / b.metresPerPixel - 1) < 0.05 &&
    Math.abs(a.axes.east.x - b.axes.east.x) < 1e-6 &&
    Math.abs(a.axes.up.y - b.axes.up.y) < 1e-6
  );
}

/** @returns the views that carry measures: one is enough while all cameras agree, a free camera has its own */
export function measuredViews(views: readonly DrawnView[]): readonly DrawnView[] {
  return views.filter((view, n) => !views.slice(0, n).some((other) => looksAlike(view, other)));
}
