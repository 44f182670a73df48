/** The overlay of each view: its title, its measures and its colour bar, each in a corner of its own. */
import { useRun } from '../../document/context.ts';
import { barredViews, divergenceNow, lateWords, namesField, scoreNow } from '../view-words.ts';
import type { DrawnView, ScreenPoint } from '../stage-model.ts';
import { ColourBarOfView } from './stage-foot.tsx';
import { stageOf, useViewRoom } from '../stage-state.ts';
import { formatNumber } from '../../format/numbers.ts';
import { isMoving } from '../../document/views/cameras.ts';
import { isTruth } from '../../document/views/method-style.ts';
import { distanceText } from '../../document/views/view-state.ts';
import { KeptEnding, Swatch } from '../../controls/line-name.tsx';
import { useEffect, useState } from 'preact/hooks';

/** Under the name: what is drawn unless it is the surface alone, and in the first row the score. */
function Second({
  subject,
  field,
  row,
  words,
  memberLines,
}: Pick<DrawnView, 'subject' | 'field' | 'row' | 'words' | 'memberLines'>) {
  const run = useRun();
  const over = divergenceNow(run, subject);
  if (over !== undefined) return <p class="view-score view-diverged">diverged at cycle {over}</p>;
  const behind = run.branches.behindOf(subject);
  if (behind !== undefined) return <p class="view-score view-what">still at cycle {behind}</p>;
  const { drawnFrame } = stageOf(run);
  const score = scoreNow(run, { subject, field }, drawnFrame.value?.cycle ?? -1);
  if (score === undefined || row > 0) return <p class="view-score view-what">{words.title}</p>;
  const isNamed = namesField(field, drawnFrame.value?.views ?? []);
  return (
    <p class="view-score">
      {isNamed && <span class="view-what view-field">{words.title}</span>}
      <span>
        <span class="view-what">{score.title}</span> <span class="view-number number">{score.text}</span>
        {memberLines > 0 && (
          <span class="view-what" title="Thin lines beside the ribbon, whose edge is their mean; drawn while it rests">
            {` ${memberLines} members`}
          </span>
        )}
      </span>
    </p>
  );
}

/** The way back to before a method diverged, as its notice has it. */
function WayBack({ subject }: Pick<DrawnView, 'subject'>) {
  const run = useRun();
  const {
    controller,
    course: { divergences },
    edits: { wayBack },
  } = run;
  const divergence = divergences.value.find(({ method }) => method === subject);
  if (!divergence || divergenceNow(run, subject) === undefined) return null;
  const { cycle, title } = wayBack(divergence);
  return (
    <button type="button" class="button view-back" title={title} onClick={() => controller.goBack(cycle, true)}>
      Back to cycle {cycle}
    </button>
  );
}

/** A method, and of a branch what differs in it. */
function Name({ title, detail }: { readonly title: string; readonly detail: string | undefined }) {
  if (detail === undefined) return title;
  return (
    <>
      <span class="view-owner">{title.slice(0, -detail.length)}</span>
      <span class="view-branch" title={detail}>
        <KeptEnding words={detail} />
      </span>
    </>
  );
}

interface TitleProperties {
  readonly view: DrawnView;
  /** By how much it gives way to bars over the view, CSS pixels. */
  readonly down: number;
}

/** The title of a view: the method, and the one number that says how it does now. */
function Title({ view: { subject, field, row, words, memberLines }, down }: TitleProperties) {
  const { detailOf, styleOf } = useRun().branches;
  const label = useViewRoom<HTMLDivElement>('title');
  const style = styleOf(subject);
  return (
    <div class="view-label" ref={label} style={{ translate: `0 ${down}px` }}>
      <h3 class="view-title">
        {style && <Swatch style={style} />}
        <span class="view-name">
          <Name title={style?.title ?? subject} detail={detailOf(subject)} />
          {words.minus !== undefined && ` − ${words.minus}`}
        </span>
        <WayBack subject={subject} />
      </h3>
      <Second subject={subject} field={field} row={row} words={words} memberLines={memberLines} />
    </div>
  );
}

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

/** Size and orientation: a scale bar in metres and the axes, lower left in each row's first view. */
function Measures({ view, loweredAt }: MeasuresProperties) {
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
function measuredViews(views: readonly DrawnView[]): readonly DrawnView[] {
  return views.filter((view, n) => !views.slice(0, n).some((other) => looksAlike(view, other)));
}

interface ViewFrameProperties {
  readonly view: DrawnView;
  readonly hasBar: boolean;
  /** Whether no other view has the same measures already. */
  readonly isMeasured: boolean;
  readonly loweredAt: number | undefined;
}

function ViewFrame({ view, hasBar, isMeasured, loweredAt }: ViewFrameProperties) {
  const run = useRun();
  const { camera, highlightedMethod, pointsAt } = run.view;
  const { x, y, width, height } = view.rect;
  const down = Math.max(0, stageOf(run).covered.value - y);
  // A place that has a name leaves the words their room.
  const isOver = camera.value === undefined || isMoving(camera.value) || down > 0;
  const name = isTruth(view.subject) ? 'truth' : view.subject;
  return (
    <section
      class="view-frame"
      data-highlighted={highlightedMethod.value === view.subject}
      data-beneath={view.row > 0}
      data-over={isOver}
      data-pointed={pointsAt.value.includes(name)}
      style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
    >
      <Title view={view} down={down} />
      {isMeasured && <Measures view={view} loweredAt={loweredAt} />}
      {hasBar && <ColourBarOfView view={view} />}
    </section>
  );
}

export function ViewFrames() {
  const {
    view: { rangeMode, world },
  } = useRun();
  const { drawnFrame } = stageOf(useRun());
  const frame = drawnFrame.value;
  if (!frame) return null;
  const [barred, measured] = [
    barredViews(frame.views),
    // A ring's places are counted, and have no directions.
    world.value?.isRing ? [] : measuredViews(frame.views),
  ];
  return (
    <>
      {frame.views.map((view) => (
        <ViewFrame
          key={view.key}
          view={view}
          hasBar={rangeMode.value === 'auto' && barred.includes(view)}
          isMeasured={measured.includes(view)}
          loweredAt={frame.loweredAt}
        />
      ))}
    </>
  );
}

/** A picture that comes sooner is not late, ms. */
const PATIENCE = 300;

/** Says which cycle the picture is of while the cycle on screen is still being drawn. */
export function LateSign() {
  const words = lateWords(useRun());
  const isLate = words !== undefined;
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    setSaid(false);
    if (!isLate) return undefined;
    const timer = setTimeout(() => setSaid(true), PATIENCE);
    return () => clearTimeout(timer);
  }, [isLate]);
  if (!isLate || !isSaid) return null;
  return <p class="stage-late">{words}</p>;
}
