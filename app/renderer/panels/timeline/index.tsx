/** The timeline: every stored cycle within reach, by pressing, dragging, keys, buttons or a number. */
import { useState } from 'preact/hooks';
import { CommandButton } from '../../layout/command-button.tsx';
import { useRun } from '../../state/context.ts';
import { formatBytes } from '../../state/format.ts';
import { PlayButton } from '../top-bar/index.tsx';
import { storedText } from './stored.ts';
import { Track } from './track.tsx';
import './timeline.css';

function CycleField() {
  const {
    controller,
    session: { plannedCycles, cycle, info },
  } = useRun();
  const [typed, setTyped] = useState<string>();
  const last = plannedCycles.value - 1;
  const commit = (): void => {
    const wanted = Number(typed);
    if (typed !== undefined && typed.trim() !== '' && Number.isFinite(wanted)) controller.scrub(wanted);
    setTyped(undefined);
  };
  return (
    <label
      class="cycle-field"
      title="The cycle on screen; −1 is the state before the first. Type a number to go there."
    >
      <span class="visually-hidden">Cycle</span>
      <input
        class="input number"
        type="text"
        inputMode="numeric"
        autocomplete="off"
        spellcheck={false}
        value={typed ?? String(cycle.value)}
        disabled={info.value === undefined}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onFocus={(event) => event.currentTarget.select()}
        onBlur={commit}
        onKeyDown={(event) => {
          const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
          if (event.key === 'Enter') commit();
          else if (event.key === 'Escape') setTyped(undefined);
          else if (step !== undefined) {
            setTyped(undefined);
            controller.scrub(cycle.value + step);
          } else return;
          event.preventDefault();
        }}
      />
      <span class="label number">/ {last}</span>
    </label>
  );
}

function Stored() {
  const { history } = useRun().session;
  const { snapshots, bytes, limitBytes } = history.value;
  if (snapshots.length === 0) return <span class="label stored" />;
  return (
    <span
      class="label stored"
      title={`Stored: ${formatBytes(bytes)} of at most ${formatBytes(limitBytes)}. When that is full, older cycles thin out.`}
    >
      {storedText(snapshots.map((snapshot) => snapshot.cycle))}
      <br />
      {formatBytes(bytes)}
    </span>
  );
}

export function Timeline() {
  return (
    <section class="timeline" aria-label="Timeline">
      <div class="timeline-transport">
        <CommandButton command="run.first" icon="first" />
        <CommandButton command="run.step-back" icon="step-back" />
        <PlayButton class="button play" />
        <CommandButton command="run.step-forward" icon="step-forward" />
        <CommandButton command="run.follow" icon="follow" />
      </div>
      <Track />
      <div class="timeline-end">
        <CommandButton command="run.fork" icon="fork" />
        <CommandButton command="run.loop" icon="loop" />
        <CycleField />
        <Stored />
      </div>
    </section>
  );
}
