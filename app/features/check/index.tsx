/** Whether this installation computes what it should here: checked in a worker on the backend of the run, with the evidence. */
import { shownBar, shownNumber, checkDocument, startService } from '../../../engine/index.ts';
import type {
  CheckDocument,
  CheckResult,
  BackendName,
  CheckListener,
  CheckProvenance,
  ServicePort,
} from '../../../engine/index.ts';
import { checkPage, headlineOf, VERDICTS } from '../../check/page.ts';
import { Page, PageFailure, PageProgress } from '../../controls/dialog.tsx';
import { useRun } from '../../document/context.ts';
import { useLaboratory, type Laboratory, slot } from '../../page/laboratory.ts';
import { attempt, saveFile } from '../../page/notices.ts';
import './check.css';
import { batch, signal } from '@preact/signals';
import { hearCheck, type CheckCommands, type CheckEvent } from '../../services/check.ts';
import { computingPort } from '../../document/compute/workers.ts';
import { createStoppable } from '../../workers/worker-port.ts';
import { versionsHere } from '../../page/versions-here.ts';

/** How far a check is. */
interface Checking {
  readonly backend: BackendName;
  readonly done: number;
  /** 0 while the backend is being opened. */
  readonly total: number;
  /** The case that is being measured. */
  readonly title: string;
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<CheckCommands, CheckEvent> {
  return computingPort(
    new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that checks the installation broke down: ${why}`),
  );
}

/** The machine in the browser's words. */
function machineWords(): Record<string, string> {
  // A test has no browser.
  if (typeof navigator === 'undefined') return {};
  return { cores: String(navigator.hardwareConcurrency) };
}

export function createChecks(start = startWorker) {
  const document = signal<CheckDocument | undefined>(undefined);
  const checking = signal<Checking | undefined>(undefined);
  /** Why there is nothing, or less than was asked for. */
  const failure = signal<string | undefined>(undefined);
  const { run, cancel } = createStoppable((reason) => {
    failure.value = reason;
  });

  /** Takes what a check says as it comes. */
  function listener(date: string): CheckListener {
    let provenance: CheckProvenance | undefined;
    const results: CheckResult[] = [];
    return {
      opened(backend, cases) {
        provenance = { date, versions: versionsHere(), machine: machineWords(), backend, cases };
        if (checking.value) checking.value = { ...checking.value, total: cases };
      },
      begin(title) {
        if (checking.value) checking.value = { ...checking.value, title };
      },
      result(result) {
        results.push(result);
        batch(() => {
          if (provenance) document.value = checkDocument(provenance, [...results]);
          if (checking.value) checking.value = { ...checking.value, done: results.length };
        });
      },
    };
  }

  /** Checks a backend, in a worker of its own. What was shown before goes when the first result comes. */
  async function check(backend: BackendName): Promise<void> {
    if (checking.value) return;
    batch(() => {
      failure.value = undefined;
      checking.value = { backend, done: 0, total: 0, title: '' };
    });
    const heard = listener(new Date().toISOString());
    const service = startService<CheckCommands, CheckEvent>(start(backend), (event) => hearCheck(event, heard));
    await run(
      (error) => service.end(error),
      async () => {
        await service.call('check', undefined);
      },
    );
    checking.value = undefined;
  }

  return { document, checking, failure, check, cancel };
}

type Checks = ReturnType<typeof createChecks>;

/** @returns the checks of a page */
const checksOf = slot<Laboratory, Checks>(() => createChecks());

export function CheckPage() {
  const laboratory = useLaboratory();
  const { closeOverlay } = laboratory.overlays;
  const { document, checking, failure, check, cancel } = checksOf(laboratory);
  const { course, controller } = useRun();
  const backend = course.info.value?.backend.name;
  const isChecking = checking.value !== undefined;
  const shown = document.value;
  const begin = (): void => {
    if (!backend) return;
    // The check has the machine for itself, and is done sooner.
    controller.pause();
    void check(backend);
  };
  const save = (found: CheckDocument): Promise<void> =>
    attempt(laboratory, 'Saving', () =>
      saveFile(laboratory, `shoal-check-${found.backend.name}.html`, 'text/html', checkPage(found)),
    );
  return (
    <Page
      title="Check this installation"
      class="check"
      source={shown && describeSource(shown)}
      actions={
        <>
          <button type="button" class="button primary" disabled={isChecking || !backend} onClick={begin}>
            Check{backend ? ` ${backend}` : ''}
          </button>
          <button
            type="button"
            class="button"
            disabled={isChecking || !shown}
            onClick={() => {
              if (shown) void save(shown);
            }}
          >
            Save page…
          </button>
        </>
      }
      onClose={closeOverlay}
    >
      {checking.value && (
        <PageProgress
          label="Checks that are made"
          value={checking.value.done}
          max={Math.max(checking.value.total, 1)}
          count={
            checking.value.total === 0 ? 'opening the backend' : `${checking.value.done} of ${checking.value.total}`
          }
          words={checking.value.title}
          onCancel={cancel}
        />
      )}
      <PageFailure message={failure.value} />
      {shown ? (
        <div class="check-results" tabIndex={0} role="region" aria-label="What was checked">
          {!isChecking && <Verdict document={shown} />}
          {shown.results.map((result) => (
            <Result key={result.id} result={result} />
          ))}
        </div>
      ) : (
        !isChecking && (
          <p class="page-empty">
            Ten checks appear here, each with its numbers, their bars, and where the bars come from: operators and a run
            against the reference, adjoints, gradient, equivalence with the Kalman filter, exact solutions of the water,
            and a published benchmark. They take seconds on a processor or a GPU, during which the run is paused.{' '}
            <code>npm run shoal -- check</code> does the same.
          </p>
        )
      )}
    </Page>
  );
}

/** `wasm, 2 threads, WebAssembly SIMD, float32`. */
function describeSource({ backend: { name, adapter, precision, threads } }: CheckDocument): string {
  const count = threads === null ? [] : [`${threads} ${threads === 1 ? 'thread' : 'threads'}`];
  return [name, ...count, adapter, precision].join(', ');
}

function Verdict({ document }: { readonly document: CheckDocument }) {
  const { passed, results } = document;
  const failed = results.some(({ verdict }) => verdict === 'failed');
  const seconds = results.reduce((sum, each) => sum + each.seconds, 0);
  const numbers = results.reduce((sum, { evidence }) => sum + evidence.length, 0);
  return (
    <p class={`check-verdict ${passed ? 'passed' : failed ? 'failed' : 'not-applicable'}`} role="status">
      <b>{headlineOf(document)}</b>{' '}
      <span class="label">
        {numbers} numbers in {seconds.toFixed(1)} s
      </span>
    </p>
  );
}

/** Closed, unless it fails: what holds is said in a line. */
function Result({
  result: { title, claim, basis, verdict, reason, evidence, seconds },
}: {
  readonly result: CheckResult;
}) {
  const { sign, word } = VERDICTS[verdict];
  return (
    <details class="check-result" open={verdict === 'failed'}>
      <summary>
        <span class={`check-sign ${verdict}`}>
          <span aria-hidden="true">{sign}</span> {word}
        </span>
        <span class="check-title">{title}</span>
        <span class="label">
          {evidence.length > 0 && `${evidence.length} ${evidence.length === 1 ? 'number' : 'numbers'}, `}
          {seconds.toFixed(1)} s
        </span>
      </summary>
      <p>{claim}</p>
      {reason !== undefined && <p class="check-reason">{reason}</p>}
      {evidence.length > 0 && (
        <table class="results">
          <thead>
            <tr>
              <th scope="col">measured</th>
              <th scope="col">found</th>
              <th scope="col">bar</th>
              <th scope="col">
                <span class="visually-hidden">verdict</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {evidence.map((each) => (
              <tr key={each.what} class={each.passed ? undefined : 'failed'}>
                <th scope="row">{each.what}</th>
                <td>{shownNumber(each.value)}</td>
                <td>{shownBar(each.bar)}</td>
                <td>{each.passed ? '✓' : '✗'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p class="label">
        <b>Where the bars come from.</b> {basis}
      </p>
    </details>
  );
}
