/**
 * What the tools would do, over the water of every view of what they act on: the ring of brush, drop or island, gauges that come as rings, gauges
 * that go as crosses. What waits for the next cycle is shown there until it is in the water.
 */
import type { Signal } from '@preact/signals';
import { isTruth } from '../../document/views/method-style.ts';
import { useRun } from '../../document/context.ts';
import type { GridPoint } from '../../document/views/view-state.ts';
import type { DrawnView, ScreenPoint } from '../../stage/stage-model.ts';
import type { Waters, Ghost, Ring } from './tools.ts';
import type { Stone } from './round-tools.ts';
import { stageOf } from '../../stage/stage-state.ts';
import { worldOf } from './world-state.ts';

/** Corners of a circle. */
const CORNERS = 48;
/** More marks in a view would hide the water: of more, every second, third, … is drawn. */
const MOST_MARKS = 400;

type Project = (point: GridPoint) => ScreenPoint | undefined;

function point({ x, y }: ScreenPoint): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** @returns the path of a circle on the water, in metres of the basin, broken off at the basin's edge */
function ringPath({ centre, radius }: Ring, { nx, ny, dx, dy }: Waters, project: Project): string {
  let path = '';
  let pen = 'M';
  for (let k = 0; k <= CORNERS; k++) {
    const angle = (2 * Math.PI * k) / CORNERS;
    const corner = { x: centre.x + (radius * Math.cos(angle)) / dx, y: centre.y + (radius * Math.sin(angle)) / dy };
    const isInside = corner.x >= -0.5 && corner.y >= -0.5 && corner.x <= nx - 0.5 && corner.y <= ny - 0.5;
    const at = isInside ? project(corner) : undefined;
    if (at) path += pen + point(at);
    pen = at ? 'L' : 'M';
  }
  return path;
}

/** @returns one path of a small mark at every place, of an even choice if there are many */
function marksPath(places: readonly GridPoint[], project: Project, mark: string): string {
  const step = Math.max(1, Math.ceil(places.length / MOST_MARKS));
  let path = '';
  for (let k = 0; k < places.length; k += step) {
    const at = project(places[k]);
    if (at) path += `M${point(at)}${mark}`;
  }
  return path;
}

/** Half the size of a mark, px: in views this many pixels wide and more the first, in smaller ones less. */
const LARGE = 4;
const SMALL = 2.5;
const LARGE_VIEW = 420;

/** @returns a circle around a point */
function circle(r: number): string {
  return `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0${-2 * r} 0`;
}

/** @returns a cross over a point */
function cross(r: number): string {
  return `m${-r} ${-r}l${2 * r} ${2 * r}m0 ${-2 * r}l${-2 * r} ${2 * r}`;
}

function Marked({ d, class: name }: { readonly d: string; readonly class: string }) {
  if (d === '') return null;
  return (
    <>
      <path class="mark-halo" d={d} />
      <path class={`ghost ${name}`} d={d} />
    </>
  );
}

/** Drops that a splash throws, as far to the right and up as the stone is wide. */
const THROWN = [
  [-3.4, 3.2],
  [-1.6, 5.2],
  [0.3, 6],
  [2, 4.6],
  [3.6, 2.8],
] as const;

/** A stone falls, and the water answers: rings that grow, and drops. The style sheet moves them, unless motion is reduced. */
function Splash({
  view: { project, rect },
  stone,
}: {
  readonly view: DrawnView;
  readonly stone: Signal<Stone | undefined>;
}) {
  const thrown = stone.value;
  const at = thrown && project(thrown);
  if (!at) return null;
  const size = Math.max(4, rect.width / 80);
  return (
    <g
      class="splash"
      transform={`translate(${point(at)}) scale(${size.toFixed(1)})`}
      style={{ '--fall': `${((-0.4 * rect.height) / size).toFixed(1)}px` }}
    >
      <ellipse class="splash-ring" rx={1} ry={0.45} />
      <ellipse
        class="splash-ring splash-second"
        rx={1}
        ry={0.45}
        onAnimationEnd={() => {
          if (stone.peek() === thrown) stone.value = undefined;
        }}
      />
      {THROWN.map(([right, up]) => (
        <circle
          key={right}
          class="splash-drop"
          r={0.3}
          style={{ '--half': `${right / 2}px ${-up}px`, '--whole': `${right}px 0px` }}
        />
      ))}
      <circle class="splash-stone" r={1} />
    </g>
  );
}

interface ViewGhostProperties {
  readonly view: DrawnView;
  readonly waters: Waters;
  readonly ghost: Ghost;
  readonly waiting: Pick<Ghost, 'added' | 'removed'>;
}

function ViewGhost({ view: { project, rect }, waters, ghost, waiting }: ViewGhostProperties) {
  const { ring, way } = ghost;
  const size = rect.width < LARGE_VIEW ? SMALL : LARGE;
  const [comes, goes] = [circle(size), cross(size)];
  const ends = way && [project(way.from), project(way.to)];
  return (
    <g>
      <Marked class="ghost-waiting" d={marksPath(waiting.added, project, comes)} />
      <Marked class="ghost-removed" d={marksPath([...waiting.removed, ...ghost.removed], project, goes)} />
      <Marked class="ghost-added" d={marksPath(ghost.added, project, comes)} />
      {ring && <Marked class={`ghost-ring ghost-${ring.kind}`} d={ringPath(ring, waters, project)} />}
      {ends?.[0] && ends[1] && <Marked class="ghost-added" d={`M${point(ends[0])}L${point(ends[1])}${comes}`} />}
    </g>
  );
}

export function Ghosts({ width, height }: { readonly width: number; readonly height: number }) {
  const {
    course: { info },
  } = useRun();
  const { drawnFrame } = stageOf(useRun());
  const {
    ghost,
    gauges,
    tool,
    targets,
    drop: { stone },
  } = worldOf(useRun());
  const frame = drawnFrame.value;
  const waters = info.value?.basin;
  const { added, removed } = gauges.ofWaiting.value;
  const thrown = stone.value;
  const isQuiet = tool.value === undefined && added.length + removed.length === 0;
  if (!frame || !waters || (isQuiet && !thrown)) return null;
  const shown = frame.views.filter(({ subject }) => targets.isOf(subject));
  return (
    <svg class="marks" width={width} height={height} aria-hidden="true">
      {!isQuiet &&
        shown.map((view) => (
          <ViewGhost key={view.key} view={view} waters={waters} ghost={ghost.value} waiting={{ added, removed }} />
        ))}
      {thrown &&
        shown
          .filter(({ subject }) => thrown.seenBy !== 'truth' || isTruth(subject))
          .map((view) => <Splash key={`${view.key}/${thrown.x}/${thrown.y}`} view={view} stone={stone} />)}
    </svg>
  );
}
