/** How far a run over seeds is, and how long it takes still. */
import { durationText } from '../../../../engine/index.ts';
import type { SeedsProgress } from '../seeds-state.ts';

interface ProgressProps {
  readonly progress: SeedsProgress;
  readonly onCancel: () => void;
}

/** Less of the whole says too little about the rest. */
const LEAST_SHARE = 0.01;

function remaining({ share, seconds }: SeedsProgress): string {
  if (share < LEAST_SHARE) return 'the first cycles';
  return `${durationText((seconds * (1 - share)) / share)} left`;
}

export function SeedsProgressLine({ progress, onCancel }: ProgressProps) {
  const { done, seeds, share } = progress;
  return (
    <div class="seeds-progress">
      <progress max={1} value={share} aria-label="Progress of the seeds" />
      <span class="seeds-count" role="status">
        {done} of {seeds} seeds
      </span>
      <span class="label">{remaining(progress)}</span>
      <button type="button" class="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
