/**
 * The run on screen repeated with several seeds: what is asked for at the left; at the right the progress, and the tables of
 * `shoal run --seeds`, which fill while the seeds are computed in workers.
 */
import { Page } from '../../../controls/page.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { seedsNeeded } from '../../sweeps/contest.ts';
import { SeedsAsk } from './ask.tsx';
import { SeedsResult } from './result.tsx';
import './seeds.css';
import { seedsOf } from '../seeds-state.ts';
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

/** How far a run over seeds is, and how long it takes still. */
function SeedsProgressLine({ progress, onCancel }: ProgressProps) {
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

export function SeedsPage() {
  const laboratory = useLaboratory();
  const {
    overlays: { overlay, openOverlay, closeOverlay },
    notices: { notify },
  } = laboratory;
  const { subject, progress, results, study, failure, begin, cancel } = seedsOf(laboratory);
  const backend = useRun().course.info.value?.backend.name;
  const scenario = subject.value?.scenario;
  if (!scenario) return null;
  const start = (): void => {
    if (!backend) return;
    void begin(backend).then(() => {
      if (overlay.value === 'seeds' || !study.value) return;
      notify('information', `${study.value.complete.length} seeds of ${scenario.title || scenario.name} are complete`, {
        actions: [{ title: 'Show', run: () => openOverlay('seeds') }],
      });
    });
  };
  return (
    <Page
      title="Repeat with several seeds"
      class="seeds"
      source={scenario.title || scenario.name}
      onClose={closeOverlay}
      first=".seeds-field input"
    >
      <div class="seeds-panes">
        <SeedsAsk backend={backend} onStart={start} />
        <div class="seeds-found">
          {progress.value && <SeedsProgressLine progress={progress.value} onCancel={cancel} />}
          {failure.value !== undefined && (
            <p class="seeds-failure" role="alert">
              {failure.value}
            </p>
          )}
          {results.value && study.value && study.value.complete.length + study.value.failures.length > 0 ? (
            <SeedsResult results={results.value} study={study.value} isRunning={progress.value !== undefined} />
          ) : (
            <p class="seeds-empty">
              {progress.value
                ? 'The tables appear here after the first seed.'
                : 'One run cannot say which method is better: the difference between two methods can persist for a whole run. Over several seeds, each with another truth and other observations, it can be said.'}{' '}
              {seedsNeeded(scenario.methods.length)}
            </p>
          )}
        </div>
      </div>
    </Page>
  );
}
