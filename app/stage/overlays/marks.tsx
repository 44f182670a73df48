/** What is pointed at, pinned and cut, at the same place in every view. */
import { useRun } from '../../document/context.ts';
import type { CrossSection, GridPoint } from '../../document/views/view-state.ts';
import type { ShownMark } from '../../document/views/shown-planes.ts';
import type { DrawnView, ScreenPoint } from '../stage-model.ts';
import { stageOf } from '../stage-state.ts';

/** Points of a cut's line over the surface. */
const CUT_POINTS = 96;

function cutLine(view: DrawnView, { from, to }: CrossSection): string {
  let pen = 'M';
  let path = '';
  for (let k = 0; k <= CUT_POINTS; k++) {
    const share = k / CUT_POINTS;
    const at = view.project({ x: from.x + share * (to.x - from.x), y: from.y + share * (to.y - from.y) });
    if (at) path += `${pen}${at.x.toFixed(1)} ${at.y.toFixed(1)}`;
    pen = at ? 'L' : 'M';
  }
  return path;
}

function Crosshair({ at }: { readonly at: ScreenPoint }) {
  return (
    <g transform={`translate(${at.x},${at.y})`}>
      <path class="mark-halo" d="M-9 0h5M4 0h5M0 -9v5M0 4v5" />
      <path class="mark-line" d="M-9 0h5M4 0h5M0 -9v5M0 4v5" />
    </g>
  );
}

function Pin({ at, id }: { readonly at: ScreenPoint; readonly id: number }) {
  return (
    <g transform={`translate(${at.x},${at.y})`}>
      <path class="mark-halo" d="M0 0v-16" />
      <path class="mark-line" d="M0 0v-16" />
      <circle class="pin-head" cx="0" cy="-23" r="8" />
      <text class="pin-number number" x="0" y="-23" dy="0.36em" text-anchor="middle">
        {id}
      </text>
    </g>
  );
}

/** A place of what is shown: a ring and its middle for what is asked, a smaller ring for another that has a part in it. */
function Ring({ at, kind }: { readonly at: ScreenPoint; readonly kind: ShownMark['kind'] }) {
  const radius = kind === 'asked' ? 7 : 4.5;
  return (
    <g transform={`translate(${at.x},${at.y})`}>
      <circle class="mark-ring-halo" r={radius} />
      <circle class="mark-ring" r={radius} />
      {kind === 'asked' && <circle class="mark-middle" r="1.75" />}
    </g>
  );
}

function ViewMarks({ view }: { readonly view: DrawnView }) {
  const {
    view: { crossSection, hoveredCell, probes },
    shown,
  } = useRun();
  const { drawnCut } = stageOf(useRun());
  const cut = drawnCut.value ?? crossSection.value;
  const hovered = hoveredCell.value;
  const place = (point: GridPoint | undefined): ScreenPoint | undefined => point && view.project(point);
  const [crosshair, a, b] = [place(hovered), place(cut?.from), place(cut?.to)];
  const line = cut && cutLine(view, cut);
  return (
    <g>
      {line && <path class="mark-halo" d={line} fill="none" />}
      {line && <path class="cut-line" d={line} fill="none" />}
      {a && (
        <text class="cut-end" x={a.x} y={a.y - 6} text-anchor="middle">
          A
        </text>
      )}
      {b && (
        <text class="cut-end" x={b.x} y={b.y - 6} text-anchor="middle">
          B
        </text>
      )}
      {probes.value.map((probe) => {
        const at = place(probe);
        return at && <Pin key={probe.id} at={at} id={probe.id} />;
      })}
      {shown.value?.marks.map((mark) => {
        const at = place(mark);
        return at && <Ring key={`${mark.kind} ${mark.x} ${mark.y}`} at={at} kind={mark.kind} />;
      })}
      {crosshair && <Crosshair at={crosshair} />}
    </g>
  );
}

export function Marks({ width, height }: { readonly width: number; readonly height: number }) {
  const { drawnFrame } = stageOf(useRun());
  const frame = drawnFrame.value;
  if (!frame) return null;
  return (
    <svg class="marks" width={width} height={height} aria-hidden="true">
      {frame.views.map((view) => (
        <ViewMarks key={view.key} view={view} />
      ))}
    </svg>
  );
}
