/**
 * The run on screen repeated with several seeds: what is asked for at the left; at the right the progress, and the tables of
 * `shoal run --seeds`, which fill while the seeds are computed in workers.
 */
import { Page, PageFailure, PageProgress } from '../../../controls/dialog.tsx';
import { useRun } from '../../../document/context.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { seedsNeeded } from '../../sweeps/contest.ts';
import { SeedsResult } from './result.tsx';
import './seeds.css';
import { seedsOf, workersFor, type SeedsProgress } from '../seeds-state.ts';
import { durationText, estimateEffort, estimateSeconds } from '../../../../engine/index.ts';
import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import type { BackendName, Scenario } from '../../../../engine/index.ts';
import { copyRunCommand } from '../../../document/run/command-line.ts';
import { counted } from '../../sweeps/words.ts';

/** Less of the whole says too little about the rest. */
const LEAST_SHARE = 0.01;

function remaining({ share, seconds }: SeedsProgress): string {
  if (share < LEAST_SHARE) return 'the first cycles';
  return `${durationText((seconds * (1 - share)) / share)} left`;
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
      first=".page-field input"
    >
      <div class="page-panes">
        <SeedsAsk backend={backend} onStart={start} />
        <div class="page-found">
          {progress.value && (
            <PageProgress
              label="Progress of the seeds"
              value={progress.value.share}
              max={1}
              count={`${progress.value.done} of ${progress.value.seeds} seeds`}
              words={remaining(progress.value)}
              onCancel={cancel}
            />
          )}
          <PageFailure message={failure.value} />
          {results.value && study.value && study.value.complete.length + study.value.failures.length > 0 ? (
            <SeedsResult results={results.value} study={study.value} isRunning={progress.value !== undefined} />
          ) : (
            <p class="page-empty">
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

interface AskProps {
  readonly backend: BackendName | undefined;
  readonly onStart: () => void;
}

/** What is asked of a run over seeds: which seeds, how long they take, and the command line that does the same. */
function SeedsAsk({ backend, onStart }: AskProps) {
  const { asked, seeds, subject, progress } = seedsOf(useLaboratory());
  const id = useId();
  const isBusy = progress.value !== undefined;
  const wanted = seeds.value;
  const hasProblem = typeof wanted === 'string';
  return (
    <form
      class="page-ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasProblem && !isBusy) onStart();
      }}
    >
      <div class="page-field">
        <label for={id}>Seeds</label>
        <input
          id={id}
          class="input number"
          type="text"
          autocomplete="off"
          disabled={isBusy}
          aria-invalid={hasProblem}
          aria-describedby={`${id}-help`}
          value={asked.value}
          onInput={({ currentTarget }) => {
            asked.value = currentTarget.value;
          }}
        />
        <p id={`${id}-help`} class="label">
          A count (10: seeds 1 to 10), a range (3-12) or a list (1,5,9).
        </p>
      </div>
      {hasProblem ? (
        <p class="page-problem" role="alert">
          {wanted}
        </p>
      ) : (
        subject.value && <p class="page-outlook">{outlook(subject.value.scenario, wanted.length, backend)}</p>
      )}
      <button type="submit" class="button primary" disabled={isBusy || !backend || hasProblem}>
        Start
      </button>
      {backend && !hasProblem && <SameCommand backend={backend} />}
    </form>
  );
}

/** @returns `10 seeds with the settings on screen, about 20 s in 3 threads on wasm.` */
function outlook(scenario: Scenario, count: number, backend: BackendName | undefined): string {
  const what = `${counted(count, 'seed')} with the settings on screen and the changes that wait`;
  if (!backend) return `${what}.`;
  const threads = workersFor(backend, count);
  // The estimate of wasm is of two threads, and a worker has one.
  const slowdown = backend === 'wasm' ? 2 : 1;
  const seconds = (slowdown * count * estimateSeconds(estimateEffort(scenario), backend)) / threads;
  return `${what}: ${durationText(seconds)} on ${backend}, ${counted(threads, 'thread')} beside the run on screen.`;
}

function SameCommand({ backend }: { readonly backend: BackendName }) {
  const laboratory = useLaboratory();
  const { command, subject } = seedsOf(laboratory);
  const line = command(backend);
  const needs = subject.value?.needs;
  return (
    <section class="seeds-command" aria-label="The same on the command line">
      <p class="label">
        {needs === undefined
          ? 'The same on the command line:'
          : `The same on the command line, once the scenario is saved as ${needs}:`}
      </p>
      <code>
        {line.split(' ').map((word, index) => (
          // A command may have a word twice.
          <Fragment key={index}>
            <span>{word}</span>{' '}
          </Fragment>
        ))}
      </code>
      <button type="button" class="button" onClick={() => void copyRunCommand(laboratory, { line, needs }, undefined)}>
        Copy the command
      </button>
    </section>
  );
}
