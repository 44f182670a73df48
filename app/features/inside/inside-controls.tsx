/** Looking into a minimisation: the way in and out, and the iteration whose increment the stage shows. */
import { useEffect } from 'preact/hooks';
import { COURSES, insideOf } from './inside.ts';
import { Icon, Choice } from '../../controls/buttons.tsx';
import type { PageRunInfo } from '../../document/run/page-run.ts';
import { useRun } from '../../document/context.ts';
import { formatBytes, formatNumber } from '../../format/numbers.ts';
import './inside.css';

interface ControlsProps {
  /** Label of the method. */
  readonly method: string;
  /** That the run needed. */
  readonly iterations: number;
  /** The cycle of the minimisation, and the one on screen: what is shown on the stage has to be of that. */
  readonly minimised: number;
  readonly shown: number;
}

export function InsideControls({ method, iterations, minimised, shown }: ControlsProps) {
  const {
    course: { info },
  } = useRun();
  const inside = insideOf(useRun());
  const { value: state } = inside.state;
  useEscape(state.kind !== 'closed', inside.close);
  if (state.kind === 'open') return <Player />;
  const open = (): void => void inside.open({ method, cycle: minimised }, iterations);
  if (state.kind === 'computing') {
    return (
      <div class="inside-controls">
        <span role="status">Cycle {state.cycle} is computed again, then its minimisation…</span>
        <button type="button" class="button" onClick={inside.close}>
          Cancel
        </button>
      </div>
    );
  }
  return (
    <div class="inside-controls">
      {state.kind === 'failed' && <p class="inside-failure" role="alert">{`Cycle ${state.cycle}: ${state.message}`}</p>}
      <button type="button" class="button" onClick={open}>
        {state.kind === 'failed' ? 'Try again' : 'Look inside'}
      </button>
      <span>
        {minimised === shown
          ? `The increment grows on the stage, iteration by iteration.${memoryOf(info.value)}`
          : `Shows cycle ${minimised}: cycle ${shown} has no analysis.`}
      </span>
    </div>
  );
}

/** What the cycle needs beside the run while it is computed again, in words. */
function memoryOf(info: PageRunInfo | undefined): string {
  return info === undefined ? '' : ` Needs ${formatBytes(info.memoryBytes + info.explanationBytes)} while it computes.`;
}

/** Escape ends it, wherever the focus is but in what has a use for the key itself. */
function useEscape(isOpen: boolean, close: () => void): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event;
      const isOthers = target instanceof Element && target.closest('dialog, input:not([type=range]), .figure-menu');
      if (event.key !== 'Escape' || isOthers) return;
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    window.addEventListener('keydown', onKey, true);
    return () => window.removeEventListener('keydown', onKey, true);
  }, [isOpen, close]);
}

function Player() {
  const inside = insideOf(useRun());
  const course = inside.courseNow.value;
  const iteration = inside.iteration.value;
  if (!course) return null;
  const { iterations, cost } = course;
  const isPlaying = inside.playing.value;
  return (
    <div class="inside-controls inside-player" role="group" aria-label="Increment by iteration">
      <button
        type="button"
        class="icon-button"
        aria-label={isPlaying ? 'Pause the increment' : 'Let the increment grow'}
        title={isPlaying ? 'Pause' : 'Let the increment grow'}
        onClick={() => (isPlaying ? inside.pause() : inside.play())}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </button>
      <input
        type="range"
        min={0}
        max={iterations}
        step={1}
        value={iteration}
        aria-label="Iteration on the stage"
        aria-valuetext={`Iteration ${iteration} of ${iterations}, J ${formatNumber(cost[iteration])}`}
        onInput={({ currentTarget }) => {
          inside.pause();
          inside.show(currentTarget.valueAsNumber);
        }}
      />
      <output class="inside-iteration">
        {iteration} / {iterations}
      </output>
      <Choice
        label="Minimisation on the stage"
        value={inside.course.value}
        options={COURSES}
        onChange={inside.choose}
      />
      <button
        type="button"
        class="icon-button"
        aria-label="Leave the minimisation"
        title="Give the fields back (Esc)"
        onClick={inside.close}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}
