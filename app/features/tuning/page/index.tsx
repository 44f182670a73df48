/**
 * Tuning of a method: what is asked for at the left; at the right the settings that were tried as a map that fills while they are
 * computed in a worker, and in words what was found.
 */
import { useMemo } from 'preact/hooks';
import { Page, PageFailure, PageProgress } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { LaboratoryContext, useLaboratory, type Laboratory } from '../../../page/laboratory.ts';
import { TuningAsk } from './ask.tsx';
import './tuning.css';
import { withSweeps, sweepsOf } from '../../sweeps/sweeps-state.ts';
import { tuningsOf, type TunedMethod, type TuningProgress } from '../tuning-state.ts';
import {
  isRecord,
  pointText,
  problemsIn,
  withPoint,
  withScanRecord,
  consistencyFindings,
  describeTuning,
  findingText,
  durationText,
} from '../../../../engine/index.ts';
import type { RunView } from '../../../document/run-view.ts';
import type { TuningResult, TuningPlan } from '../../../../engine/index.ts';
import { Icon } from '../../../controls/buttons.tsx';
import { unbroken } from '../../../format/numbers.ts';
import { Figure } from '../../../figures/figure.tsx';
import { mapTable, cellWords } from '../../sweeps/words.ts';
import { HeatMap } from '../../sweeps/page/heat-map.tsx';
import '../../sweeps/page/sweeps.css';

/** @returns what is still to be done, in words */
function remaining({ done, most, seconds, isLooking }: TuningProgress): string {
  if (isLooking) return 'a last look at the best';
  if (done === 0) return 'the first runs';
  return `${durationText(((most - done) * seconds) / done)} left at most`;
}

const HELP =
  'Median over the seeds that are done, by colour. A cell is hatched as high as the share of its seeds that diverged; empty cells were not tried or are still pending. The ring marks the best; cells with a dashed edge do not differ from it significantly, seed by seed. Arrows move from cell to cell.';

/** By itself, so that the map is not drawn again while the pointer moves. */
function ToldCell({ cells }: { readonly cells: Parameters<typeof cellWords>[0] }) {
  return <>{cellWords(cells, sweepsOf(useLaboratory()).told.value)}</>;
}

/** The settings that were tried, as the map of a sweep: by colour what they gave so far. */
function TuningMap({ plan: { name, method, measure } }: { readonly plan: TuningPlan }) {
  const { table, arrangement, combinations, cells, subject, reached } = sweepsOf(useLaboratory());
  const { title } = tuningsOf(useLaboratory());
  const shown = table.value;
  if (!shown || !arrangement.value) return null;
  const all = { table: shown, combinations: combinations.value, cells: cells.value, unit: measure.unit };
  return (
    <Figure
      id="map"
      title={`${measure.title}, ${title.value}`}
      help={HELP}
      table={() => mapTable({ ...all, subject: subject.value })}
      subject={{ name: `${name}-tuning-${method}`, subtitle: `${measure.title} of ${method}, ${name}` }}
      note={cells.value.length > 0 && <ToldCell cells={all} />}
    >
      <HeatMap
        table={shown}
        arrangement={arrangement.value}
        onOpen={(combination) => {
          reached.value = combination;
        }}
      />
    </Figure>
  );
}

/** Whether the scenario had the best values when it was tuned. */
function isPresent({ parameters, found }: TuningResult): boolean {
  return parameters.every(({ present }, axis) => present === found?.best.values[axis]);
}

/** What a tuning found, in words: the best with its interval, its edge, its consistency, and what can be done with it. */
function TuningFindings({ tuned }: { readonly tuned: TunedMethod }) {
  const laboratory = useLaboratory();
  const run = useRun();
  const { plan, result } = tuned;
  const [first, ...others] = describeTuning(result);
  const findings = consistencyFindings(plan, result);
  return (
    <section class="tuning-findings" aria-label="What was found">
      <p class="tuning-best">{unbroken(first)}</p>
      {others.map((text) => (
        <p key={text}>{unbroken(text)}</p>
      ))}
      {findings.length > 0 && (
        <ul>
          {findings.map((finding) => (
            <li key={finding.title} class={finding.isGood ? 'good' : 'off'}>
              <Icon name={finding.isGood ? 'information' : 'warning'} />
              <span>{unbroken(findingText(finding))}</span>
            </li>
          ))}
        </ul>
      )}
      {result.found && (
        <div class="tuning-actions">
          <button
            type="button"
            class="button primary"
            disabled={isPresent(result)}
            onClick={() => setTunedValues(laboratory, run, tuned)}
          >
            Use these
          </button>
          <button type="button" class="button" onClick={() => keepRecord(laboratory, run, tuned)}>
            Keep the record
          </button>
        </div>
      )}
    </section>
  );
}

/** @returns whether the draft still has the method where it was tuned */
function isThere(draft: unknown, { plan: { method, parameters } }: TunedMethod): boolean {
  const methods: unknown = isRecord(draft) ? draft['methods'] : undefined;
  if (!Array.isArray(methods)) return false;
  return parameters.every(({ path }) => {
    const index = /^methods\[(\d+)\]/.exec(path)?.[1];
    if (index === undefined) return true;
    const entry: unknown = methods[Number(index)];
    return isRecord(entry) && (entry['label'] ?? entry['kind']) === method;
  });
}

/** Changes the draft as one step; where the scenario has changed so far that this cannot be, says so. */
function change(
  { notices: { notify } }: Pick<Laboratory, 'notices'>,
  { scenario: { draft, openings, editDraft } }: Pick<RunView, 'scenario'>,
  tuned: TunedMethod,
  edit: (draft: unknown) => unknown,
  title: string,
): boolean {
  const { method } = tuned.plan;
  if (openings.value !== tuned.opening || !isThere(draft.value, tuned)) {
    notify('warning', `The scenario has no longer the ${method} that was tuned`, {
      lines: ['Its values were left as they are. Tune it again.'],
    });
    return false;
  }
  try {
    editDraft(edit(draft.value), title);
    return true;
  } catch (error) {
    const lines = problemsIn(error).map(({ message }) => message);
    notify('warning', `The values of ${method} cannot be set`, { lines });
    return false;
  }
}

/** Sets the best values, and goes to the method's settings. */
export function setTunedValues(laboratory: Laboratory, run: RunView, tuned: TunedMethod): void {
  const { plan, result } = tuned;
  const best = result.found?.best.values;
  if (!best) return;
  const { parameters, method } = plan;
  const isSet = change(laboratory, run, tuned, (draft) => withPoint(draft, parameters, best), `tune ${method}`);
  laboratory.overlays.closeOverlay();
  if (!isSet) return;
  laboratory.notices.notify('information', `${method} has ${pointText(parameters, best)}; apply it, or undo`);
  laboratory.form.goToSetting(parameters[0].path);
}

/** Puts the record into the scenario, whose file then says how the setting was found. */
export function keepRecord(laboratory: Laboratory, run: RunView, tuned: TunedMethod): void {
  const { result, plan } = tuned;
  if (!result.found) return;
  const title = `keep the scan of ${plan.method}`;
  if (!change(laboratory, run, tuned, (draft) => withScanRecord(draft, result), title)) return;
  laboratory.notices.notify('information', 'The record is in the scenario; save it to keep it');
}

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
      <div class="page-panes">
        <TuningAsk backend={backend} onStart={start} />
        <div class="page-found">
          {progress.value && (
            <PageProgress
              label="Runs of the tuning"
              value={progress.value.done}
              max={progress.value.most}
              count={`${progress.value.done} of at most ${progress.value.most} runs`}
              words={remaining(progress.value)}
              onCancel={cancel}
            />
          )}
          <PageFailure message={failure.value} />
          {tuned.value && <TuningFindings tuned={tuned.value} />}
          {planned.value ? (
            <LaboratoryContext.Provider value={own}>
              <TuningMap plan={planned.value} />
            </LaboratoryContext.Provider>
          ) : (
            <p class="page-empty">
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
