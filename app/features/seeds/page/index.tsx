/**
 * The run on screen repeated with several seeds: what is asked for at the left; at the right the progress, and the tables of
 * `shoal run --seeds`, which fill while the seeds are computed in workers.
 */
import { Page } from '../../../controls/page.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { seedsNeeded } from '../../sweeps/contest.ts';
import { SeedsAsk } from './ask.tsx';
import { SeedsProgressLine } from './progress.tsx';
import { SeedsResult } from './result.tsx';
import './seeds.css';
import { seedsOf } from '../seeds-state.ts';

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
