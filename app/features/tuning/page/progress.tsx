/** How far a tuning is, and for how long it continues at most. */
import { durationText } from '../../../../engine/index.ts';
import type { TuningProgress } from '../tuning-state.ts';

interface ProgressProps {
  readonly progress: TuningProgress;
  readonly onCancel: () => void;
}

/** @returns what is still to be done, in words */
function remaining({ done, most, seconds, isLooking }: TuningProgress): string {
  if (isLooking) return 'a last look at the best';
  if (done === 0) return 'the first runs';
  return `${durationText(((most - done) * seconds) / done)} left at most`;
}

export function TuningProgressLine({ progress, onCancel }: ProgressProps) {
  const { done, most } = progress;
  return (
    <div class="tuning-progress">
      <progress max={most} value={done} aria-label="Runs of the tuning" />
      <span class="tuning-count">
        {done} of at most {most} runs
      </span>
      <span class="label">{remaining(progress)}</span>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
