/** What the page of the self-check shows: the check that was made last in this window, and how far the one is that is being made. */
import { batch, signal } from '@preact/signals';
import { checkDocument, startService } from '../../../engine/index.ts';
import type {
  BackendName,
  CheckDocument,
  CheckListener,
  CheckProvenance,
  CheckResult,
  ServicePort,
} from '../../../engine/index.ts';
import { hearCheck } from '../../services/check.ts';
import type { CheckCommands, CheckEvent } from '../../services/check.ts';
import { workerPort } from '../../workers/worker-port.ts';
import { versionsHere } from '../../page/versions-here.ts';
import type { Laboratory } from '../../page/laboratory.ts';

/** How far a check is. */
export interface Checking {
  readonly backend: BackendName;
  readonly done: number;
  /** 0 while the backend is being opened. */
  readonly total: number;
  /** The case that is being measured. */
  readonly title: string;
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<CheckCommands, CheckEvent> {
  return workerPort(
    new Worker(new URL('./check-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that checks the installation broke down: ${why}`),
  );
}

const CANCELLED = new Error('cancelled');

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
  let stop: (() => void) | undefined;

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
    stop = () => service.end(CANCELLED);
    try {
      await service.call('check', undefined);
    } catch (error) {
      if (error !== CANCELLED) failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      stop = undefined;
      checking.value = undefined;
      service.end();
    }
  }

  /** Stops the check; what was found so far stays, and says that it is not all. */
  function cancel(): void {
    stop?.();
  }

  return { document, checking, failure, check, cancel };
}

export type Checks = ReturnType<typeof createChecks>;

function createChecksOf(): Checks {
  return createChecks();
}

/** @returns the checks of a page */
export function checksOf(laboratory: Laboratory): Checks {
  return laboratory.use(createChecksOf);
}
