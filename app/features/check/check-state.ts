/** What the page of the self-check shows: the check that was made last in this window, and how far the one is that is being made. */
import { batch, signal } from '@preact/signals';
import { checkDocument, createCaller } from '../../../engine/index.ts';
import type { BackendName, CheckDocument, CheckListener, CheckProvenance, CheckResult } from '../../../engine/index.ts';
import { hear } from '../../check/check-calls.ts';
import type { CheckCommands, CheckEvent, CheckStarterPort } from '../../check/check-calls.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { startCheckWorker } from './start-check.ts';
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

const CANCELLED = new Error('cancelled');

/** The machine in the browser's words. */
function machineWords(): Record<string, string> {
  // A test has no browser.
  if (typeof navigator === 'undefined') return {};
  return { cores: String(navigator.hardwareConcurrency) };
}

export function createChecks(start: (backend: BackendName) => CheckStarterPort = startCheckWorker) {
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
    const port = start(backend);
    const heard = listener(new Date().toISOString());
    const caller = createCaller<CheckCommands, CheckEvent>(port, (event) => hear(event, heard));
    stop = () => caller.close(CANCELLED);
    try {
      await caller.call('check', undefined);
    } catch (error) {
      if (error !== CANCELLED) failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      stop = undefined;
      checking.value = undefined;
      port.close();
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
