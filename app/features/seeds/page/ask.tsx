/** What is asked of a run over seeds: which seeds, how long they take, and the command line that does the same. */
import { Fragment } from 'preact';
import { useId } from 'preact/hooks';
import { durationText, estimateEffort, estimateSeconds } from '../../../../engine/index.ts';
import type { BackendName, Scenario } from '../../../../engine/index.ts';
import { workersFor } from '../seeds-state.ts';
import { useLaboratory } from '../../../page/laboratory.ts';
import { copyRunCommand } from '../../../document/run/run-command.ts';
import { counted } from '../../sweeps/words.ts';
import { seedsOf } from '../seeds-state.ts';

interface AskProps {
  readonly backend: BackendName | undefined;
  readonly onStart: () => void;
}

export function SeedsAsk({ backend, onStart }: AskProps) {
  const { asked, seeds, subject, progress } = seedsOf(useLaboratory());
  const id = useId();
  const isBusy = progress.value !== undefined;
  const wanted = seeds.value;
  const hasProblem = typeof wanted === 'string';
  return (
    <form
      class="seeds-ask"
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasProblem && !isBusy) onStart();
      }}
    >
      <div class="seeds-field">
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
        <p class="seeds-problem" role="alert">
          {wanted}
        </p>
      ) : (
        subject.value && <p class="seeds-outlook">{outlook(subject.value.scenario, wanted.length, backend)}</p>
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
