/** How large things are and which way they lie: a scale bar in metres and the axes, lower left in each row's first view. */
import { formatNumber } from '../../charts/numbers.ts';
import type { DrawnView, ScreenPoint } from '../stage-model.ts';
import { drawnFrame } from '../stage-state.ts';

/** Length of an axis of the gnomon, pixels. */
const AXIS = 17;
const CENTRE = 24;
/** The scale bar is at most that long, pixels. */
const LONGEST = 96;

/** @returns a round number of metres and the pixels it takes */
export function scaleBar(metresPerPixel: number): { readonly metres: number; readonly pixels: number } {
  const most = LONGEST * metresPerPixel;
  const power = 10 ** Math.floor(Math.log10(most));
  const step = [5, 2, 1].find((each) => each * power <= most) ?? 1;
  return { metres: step * power, pixels: (step * power) / metresPerPixel };
}

/** @returns metres as people say them: `200 m`, `50 km` */
export function distanceText(metres: number): string {
  return metres >= 1000 ? `${formatNumber(metres / 1000)} km` : `${formatNumber(metres)} m`;
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

function Measures({ view, exaggeration }: { readonly view: DrawnView; readonly exaggeration: number }) {
  const { metres, pixels } = scaleBar(view.metresPerPixel);
  const { rect, axes } = view;
  return (
    <div class="measures" style={{ left: `${rect.x + 8}px`, top: `${rect.y + rect.height - 56}px` }}>
      <svg width="48" height="48" role="img" aria-label="Directions: x to the east, y to the north, z up">
        <Axis direction={axes.east} name="x" />
        <Axis direction={axes.north} name="y" />
        <Axis direction={axes.up} name="z" />
      </svg>
      <svg class="scale-bar" width={pixels + 2} height="30" role="img" aria-label={`Scale: ${distanceText(metres)}`}>
        <text class="gnomon-name" x={0} y={10}>
          {distanceText(metres)}
        </text>
        <path class="gnomon-axis" d={`M1 15v5h${pixels}v-5`} fill="none" />
      </svg>
      <span class="exaggeration" title="Heights are drawn this many times as high as lengths">
        {`z ×${grouped(exaggeration)}`}
      </span>
    </div>
  );
}

/** @returns a whole number with thin spaces between thousands, others in three digits */
function grouped(value: number): string {
  return value >= 1000 ? value.toFixed(0).replaceAll(/\B(?=(\d{3})+$)/g, '\u2009') : formatNumber(value);
}

/** Whether lengths and directions are the same in both views; heights of views may differ by a pixel. */
function looksAlike(a: DrawnView, b: DrawnView): boolean {
  return (
    Math.abs(a.metresPerPixel / b.metresPerPixel - 1) < 0.05 &&
    Math.abs(a.axes.east.x - b.axes.east.x) < 1e-6 &&
    Math.abs(a.axes.up.y - b.axes.up.y) < 1e-6
  );
}

export function AllMeasures() {
  const frame = drawnFrame.value;
  if (!frame) return null;
  // One set is enough while all cameras agree; a free camera has its own.
  const first = frame.views.filter((view, n) => !frame.views.slice(0, n).some((other) => looksAlike(view, other)));
  return (
    <>
      {first.map((view) => (
        <Measures key={view.key} view={view} exaggeration={frame.exaggeration} />
      ))}
    </>
  );
}
