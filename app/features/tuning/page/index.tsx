/**
 * Tuning of a method: what is asked for at the left; at the right the settings that were tried as a map that fills while they are
 * computed in a worker, and in words what was found.
 */
import { useMemo } from 'preact/hooks';
import { Page } from '../../../controls/page.tsx';
import { useRun } from '../../../document/context.ts';
import { LaboratoryContext, useLaboratory } from '../../../page/laboratory.ts';
import { TuningAsk } from './ask.tsx';
import { TuningFindings } from './findings.tsx';
import { TuningMap } from './map.tsx';
import { TuningProgressLine } from './progress.tsx';
import './tuning.css';
import { withSweeps } from '../../sweeps/sweeps-state.ts';
import { tuningsOf } from '../tuning-state.ts';

export function TuningPage() {
  const laboratory = useLaboratory();
  const {
    overlays: { overlay, openOverlay, closeOverlay },
    notices: { notify },
  } = laboratory;
  const { form, title, planned, progress, failure, tuned, begin, cancel, map } = tuningsOf(laboratory);
  const { course, controller } = useRun();
  // The map draws what this page has found, not what the page of sweeps shows.
  const own = useMemo(() => withSweeps(laboratory, map), [laboratory, map]);
  const backend = course.info.value?.backend.name;
  const start = (): void => {
    if (!backend) return;
    // Two that compute at once would wait for each other.
    controller.pause();
    void begin(backend).then(() => {
      if (overlay.value === 'tuning' || !tuned.value) return;
      notify('information', `${title.value} is tuned`, {
        actions: [{ title: 'Show', run: () => openOverlay('tuning') }],
      });
    });
  };
  if (!form.value) return null;
  return (
    <Page title={`Tune ${title.value}`} class="tuning" onClose={closeOverlay}>
      <div class="tuning-panes">
        <TuningAsk backend={backend} onStart={start} />
        <div class="tuning-found">
          {progress.value && <TuningProgressLine progress={progress.value} onCancel={cancel} />}
          {failure.value !== undefined && (
            <p class="tuning-failure" role="alert">
              {failure.value}
            </p>
          )}
          {tuned.value && <TuningFindings tuned={tuned.value} />}
          {planned.value ? (
            <LaboratoryContext.Provider value={own}>
              <TuningMap plan={planned.value} />
            </LaboratoryContext.Provider>
          ) : (
            <p class="tuning-empty">
              Every combination of values is run with every seed. Where the best lies at an edge the range grows; then
              its neighbourhood is searched in ever smaller steps. The map fills here meanwhile, and the run on screen
              rests.
            </p>
          )}
        </div>
      </div>
    </Page>
  );
}
