/** The line of cycles: what is stored, where observations came in, the loop, and the cycle on screen. */
import { useRef } from 'preact/hooks';
import { useWidth } from '../../plot/use-size.ts';
import { BranchMarks } from '../../features/branches/branch-strip.tsx';
import { useRun } from '../../document/context.ts';
import type { RunView } from '../../document/run-view.ts';
import type { LoopRange } from '../../document/run/run-course.ts';
import { formatModelTime } from '../../format/numbers.ts';
import { takeKey } from '../../plot/keys.ts';
import {
  barsOf,
  LINE_BOX,
  skippedText,
  multiples,
  niceStep,
  thinned,
  timelineScale,
  type TimelineScale,
} from '../../document/run/run-times.ts';
import { useLaboratory, type Laboratory } from '../../page/laboratory.ts';
import type { RunMark } from '../../document/scenario/run-edits.ts';
import { tellDivergence } from '../../document/run/run-controller.ts';

/** Shows the cycle; of a divergence also what there is to say and to do about it. */
function open(laboratory: Laboratory, run: RunView, { cycle, method }: RunMark): void {
  const { controller, course } = run;
  controller.scrub(cycle);
  const divergence = course.divergences.value.find((each) => each.method === method);
  const states = { notices: laboratory.notices, edits: run.edits, course };
  if (divergence) tellDivergence(states, divergence, (to, play) => controller.goBack(to, play));
}

/** What happened at a cycle of the run, on the timeline: settings that were changed, methods that diverged. */
function RunMarks({ scale }: { readonly scale: TimelineScale }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { runMarks } = run.edits;
  return (
    <>
      {runMarks.value.map((mark) => {
        const { kind, cycle, text } = mark;
        const name = `Cycle ${cycle}: ${text}`;
        return (
          <button
            key={`${kind} ${cycle} ${text}`}
            type="button"
            class={`run-mark run-mark-${kind}`}
            aria-label={name}
            title={name}
            style={{ left: `${(100 * scale.place(cycle)).toFixed(4)}%` }}
            onPointerDown={(event) => event.stopPropagation()}
            onClick={() => open(laboratory, run, mark)}
          >
            <svg viewBox="0 0 10 10" aria-hidden="true">
              {kind === 'edit' ? <path d="M5 0.5 9.5 5 5 9.5 0.5 5z" /> : <path d="M1 1l8 8M9 1 1 9" />}
            </svg>
          </button>
        );
      })}
    </>
  );
}

/** Keys move this far with Page Up and Page Down. */
const PAGE = 10;

function percent(share: number): string {
  return `${(100 * share).toFixed(4)}%`;
}

function cycleText(of: number): string {
  return of < 0 ? 'before the first cycle' : `cycle ${of}`;
}

function Ticks({ scale, width }: { readonly scale: TimelineScale; readonly width: number }) {
  const { analysisCycles } = useRun().course;
  const step = niceStep(scale.last - scale.first, width, 56);
  const ticks = thinned(analysisCycles.value, scale, width, 3);
  return (
    <>
      {ticks.map((each) => (
        <i key={each} class="tick" style={{ left: percent(scale.place(each)) }} />
      ))}
      {multiples(step, scale.last).map((each) => (
        <span key={`n${each}`} class="tick-number label" style={{ left: percent(scale.place(each)) }}>
          {each}
        </span>
      ))}
    </>
  );
}

/** One end of the loop, a slider of its own. */
function LoopEnd({
  end,
  loop,
  scale,
}: {
  readonly end: 'from' | 'to';
  readonly loop: LoopRange;
  readonly scale: TimelineScale;
}) {
  const { loopRange } = useRun().course;
  const [least, most] = end === 'from' ? [scale.first, loop.to] : [loop.from, scale.last];
  const set = (wanted: number): void => {
    loopRange.value = { ...loop, [end]: Math.max(least, Math.min(most, wanted)) };
  };
  const track = useRef<Element | null>(null);
  return (
    <div
      class={`loop-end loop-${end}`}
      role="slider"
      tabindex={0}
      aria-label={end === 'from' ? 'Loop from' : 'Loop to'}
      aria-valuemin={least}
      aria-valuemax={most}
      aria-valuenow={loop[end]}
      aria-valuetext={cycleText(loop[end])}
      style={{ left: percent(scale.place(loop[end])) }}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.stopPropagation();
        event.currentTarget.setPointerCapture(event.pointerId);
        track.current = event.currentTarget.closest('.track-line');
      }}
      onPointerMove={(event) => {
        const box = track.current?.getBoundingClientRect();
        if (!box) return;
        event.stopPropagation();
        set(scale.cycleAt((event.clientX - box.left) / box.width));
      }}
      onLostPointerCapture={() => {
        track.current = null;
      }}
      onKeyDown={(event) => {
        const step = takeKey(event, {
          ArrowRight: 1,
          ArrowUp: 1,
          ArrowLeft: -1,
          ArrowDown: -1,
          PageUp: PAGE,
          PageDown: -PAGE,
        });
        if (step !== undefined) set(loop[end] + step);
      }}
    />
  );
}

/** What is stored: a line, or, of a run that was opened, a bar for each row of cycles that it kept. */
function StoredLine({ scale }: { readonly scale: TimelineScale }) {
  const { oldestCycle, lastCycle, shownCycles, recorded } = useRun().course;
  const [left, right] = [scale.place(oldestCycle.value), scale.place(lastCycle.value)];
  if (!recorded.source.value) {
    return <i class="stored-range" style={{ left: percent(left), width: percent(right - left) }} />;
  }
  const { width, height } = LINE_BOX;
  return (
    <svg class="stored-cycles" viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      <path d={barsOf(shownCycles.value, scale)} />
      <path class="unreadable" d={barsOf(recorded.unreadable.value, scale)} />
    </svg>
  );
}

/** @returns the text beside the cycle under the pointer: also that, and why, it cannot be shown */
function hoveredText(cycle: number, { shownCycles, recorded }: RunView['course']): string {
  if (!recorded.source.value || shownCycles.value.includes(cycle)) return String(cycle);
  return `${cycle}, ${recorded.unreadable.value.includes(cycle) ? 'cannot be read' : 'not stored'}`;
}

function wantedByKey(run: RunView, key: string): number | undefined {
  const { awaited, cycle, storedAfter, storedBefore, oldestCycle, lastCycle } = run.course;
  const here = awaited.value ?? cycle.value;
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return storedAfter(here) ?? here;
    case 'ArrowLeft':
    case 'ArrowDown':
      return storedBefore(here) ?? here;
    case 'PageUp':
      // If cycles are far apart a page is one of them.
      return Math.max(here + PAGE, storedAfter(here) ?? here);
    case 'PageDown':
      return Math.min(here - PAGE, storedBefore(here) ?? here);
    case 'Home':
      return oldestCycle.value;
    case 'End':
      return lastCycle.value;
    default:
      return undefined;
  }
}

function Playhead({ scale }: { readonly scale: TimelineScale }) {
  const run = useRun();
  const {
    controller,
    course: { currentSnapshot, oldestCycle, lastCycle, cycle },
    view,
  } = run;
  const { text, unit } = formatModelTime(currentSnapshot.value?.timeSeconds ?? 0, view.world.value);
  return (
    <div
      class="playhead"
      role="slider"
      tabindex={0}
      aria-label="Cycle on screen"
      aria-valuemin={oldestCycle.value}
      aria-valuemax={lastCycle.value}
      aria-valuenow={cycle.value}
      aria-valuetext={`${cycleText(cycle.value)}, time ${text} ${unit}`.trim()}
      style={{ left: percent(scale.place(cycle.value)) }}
      onKeyDown={(event) => {
        const wanted = wantedByKey(run, event.key);
        if (wanted === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
        event.preventDefault();
        controller.scrub(wanted);
      }}
    />
  );
}

export function Track() {
  const {
    controller,
    course,
    view: { hoveredCycle },
  } = useRun();
  const { plannedCycles, loopRange, cycle, lastCycle, info, recorded } = course;
  const [line, width] = useWidth<HTMLDivElement>();
  const drag = useRef<{ readonly loopFrom: number | undefined }>(undefined);
  const scale = timelineScale(plannedCycles.value);
  const loop = loopRange.value;
  const hovered = hoveredCycle.value;
  const skipped = recorded.source.value && skippedText(recorded.source.value);

  const cycleUnder = ({ clientX }: PointerEvent): number => {
    const box = line.current?.getBoundingClientRect();
    return box ? scale.cycleAt((clientX - box.left) / box.width) : cycle.value;
  };
  const follow = (event: PointerEvent): void => {
    const under = cycleUnder(event);
    const from = drag.current?.loopFrom;
    if (from === undefined) controller.scrub(Math.min(under, lastCycle.value));
    else if (under !== from) loopRange.value = { from: Math.min(from, under), to: Math.max(from, under) };
  };

  return (
    <div
      class="track"
      title={['Press or drag to show a stored cycle; with Shift, drag to loop a range', skipped]
        .filter(Boolean)
        .join('. ')}
      onPointerDown={(event) => {
        if (event.button !== 0 || !info.value) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { loopFrom: event.shiftKey ? cycleUnder(event) : undefined };
        follow(event);
      }}
      onPointerMove={(event) => {
        const under = cycleUnder(event);
        hoveredCycle.value = under <= lastCycle.value ? under : undefined;
        if (drag.current) follow(event);
      }}
      onLostPointerCapture={() => {
        drag.current = undefined;
      }}
      onPointerLeave={() => {
        hoveredCycle.value = undefined;
      }}
    >
      <div class="track-line" ref={line}>
        <StoredLine scale={scale} />
        {loop && (
          <i
            class="loop-range"
            style={{
              left: percent(scale.place(loop.from)),
              width: percent(scale.place(loop.to) - scale.place(loop.from)),
            }}
          />
        )}
        <Ticks scale={scale} width={width} />
        <RunMarks scale={scale} />
        <BranchMarks scale={scale} />
        {hovered !== undefined && <i class="hovered" style={{ left: percent(scale.place(hovered)) }} />}
        <Playhead scale={scale} />
        {loop && <LoopEnd end="from" loop={loop} scale={scale} />}
        {loop && <LoopEnd end="to" loop={loop} scale={scale} />}
        {hovered !== undefined && (
          <output class="hovered-number number" style={{ left: percent(scale.place(hovered)) }} aria-hidden="true">
            {hoveredText(hovered, course)}
          </output>
        )}
      </div>
    </div>
  );
}
