/** The timeline: every stored cycle within reach, by pressing, dragging, keys, buttons or a number. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../../controls/buttons.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import { formatBytes } from '../../format/numbers.ts';
import { PlayButton, Speed, cycleText, typedCycle } from '../top-bar/index.tsx';
import { skippedText, storedText } from '../../document/run/run-times.ts';
import { Track } from './track.tsx';
import './timeline.css';

function CycleField() {
  const {
    controller,
    course: { awaited, plannedCycles, cycle, goesOn, info, shownCycles, storedAfter, storedBefore, recorded },
  } = useRun();
  const { notify } = useLaboratory().notices;
  const [typed, setTyped] = useState<string>();
  const last = plannedCycles.value - 1;
  /** Shows the nearest stored cycle, and says that it is another one than asked for, and why. */
  const showNearest = (wanted: number): void => {
    controller.scrub(wanted);
    const why = (recorded.source.value && skippedText(recorded.source.value)) ?? 'Older cycles thin out to save memory';
    const shown = cycleText(awaited.value ?? cycle.value);
    notify('information', `Cycle ${wanted} is not stored; shown is cycle ${shown}`, { lines: [`${why}.`] });
  };
  const commit = (): void => {
    const bounds = { shownCycles: shownCycles.value, last, goesOn: goesOn.value };
    const found = typed === undefined ? undefined : typedCycle(typed, bounds);
    if (found?.kind === 'show') controller.scrub(found.cycle);
    else if (found?.kind === 'thinned') showNearest(found.cycle);
    else if (found?.kind === 'ahead') void controller.runTo(found.cycle);
    else if (found) notify('information', 'There is no such cycle', { lines: [found.message] });
    setTyped(undefined);
  };
  return (
    <label
      class="cycle-field"
      title="The cycle on screen. Type a number to go there: a cycle that is not computed yet is computed, with the time that is left in the bar above. Type “start” for the state before the first cycle."
    >
      <span class="visually-hidden">Cycle</span>
      <input
        class="input number"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        spellcheck={false}
        value={typed ?? cycleText(cycle.value)}
        disabled={info.value === undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          const here = awaited.value ?? cycle.value;
          const step = event.key === 'ArrowUp' ? storedAfter : event.key === 'ArrowDown' ? storedBefore : undefined;
          if (event.key === 'Enter') commit();
          else if (event.key === 'Escape') setTyped(undefined);
          else if (step) {
            setTyped(undefined);
            controller.scrub(step(here) ?? here);
          } else return;
          event.preventDefault();
        }}
      />
      <span class="label number">/ {last}</span>
    </label>
  );
}

function Stored() {
  const { history, recorded, shownCycles, snapshots } = useRun().course;
  const { bytes, limitBytes } = history.value;
  if (shownCycles.value.length === 0) return <span class="label stored" />;
  const { value: source } = recorded.source;
  const kept = `Stored: ${formatBytes(bytes)} of at most ${formatBytes(limitBytes)}. When that is full, older cycles thin out.`;
  const opened = source && [
    `${recorded.cycles.value.length} cycles are stored in ${source.file} and are read as they are shown; ${snapshots.value.length} are in memory.`,
    skippedText(source),
  ];
  return (
    <span class="label stored" title={opened ? opened.filter(Boolean).join('\n') : kept}>
      {storedText(shownCycles.value)}
      <br />
      {source ? source.file : formatBytes(bytes)}
    </span>
  );
}

export function Timeline() {
  const { view } = useRun();
  return (
    <section class="timeline" aria-label="Timeline" data-pointed={view.pointsAt.value.includes('timeline')}>
      <div class="timeline-transport">
        <CommandButton command="run.first" icon="first" class="icon-button full-only" />
        <CommandButton command="run.step-back" icon="step-back" class="icon-button full-only" />
        <PlayButton class="button play" />
        <CommandButton command="run.step-forward" icon="step-forward" class="icon-button full-only" />
        <CommandButton command="run.follow" icon="follow" class="icon-button full-only" />
        <CommandButton command="run.to-end" icon="to-end" class="icon-button full-only" />
      </div>
      <Track />
      <div class="timeline-end learner-only">
        <Speed />
      </div>
      <div class="timeline-end full-only">
        <CommandButton command="run.fork" icon="fork" />
        <CommandButton command="run.loop" icon="loop" />
        <CycleField />
        <Stored />
      </div>
    </section>
  );
}
