/** The tuning of a method in one window: what is asked for, how far it is, what each setting gave so far, and what was found. */
import { batch, computed, signal } from '@preact/signals';
import { firstPoints, parameterTitle, startService } from '../../../engine/index.ts';
import type { BackendName, Point, Scenario, ServicePort, TuningPlan, TuningResult } from '../../../engine/index.ts';
import type { Reader } from '../reading/reader.ts';
import { kindTitle } from '../../document/views/method-style.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { firstAxes } from '../sweeps/arrangement.ts';
import { createSweeps } from '../sweeps/sweeps-state.ts';
import { workerPort } from '../../workers/worker-port.ts';
import type { TuningCommands, TuningEvent } from './tuning-service.ts';
import { planOf, usualForm } from './tuning-form.ts';
import type { TuningForm } from './tuning-form.ts';
import { findingsOfResult, tableOfTrials } from './tuning-table.ts';
import type { Trials } from './tuning-table.ts';
import type { Laboratory } from '../../page/laboratory.ts';
import { readerOf } from '../reading/worker-reader.ts';

/** The scenario whose method is tuned, as it was when the page was opened. */
export interface TuningSubject {
  readonly raw: unknown;
  readonly scenario: Scenario;
  /** Contents of the files that it names. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  /** Which opening of a scenario it belongs to. */
  readonly opening: number;
}

/** How far a tuning is. */
export interface TuningProgress {
  /** Cases, a setting and a seed each. */
  readonly done: number;
  readonly most: number;
  /** Since the first was begun. */
  readonly seconds: number;
  readonly isLooking: boolean;
}

/** What was tuned, and the result. */
export interface TunedMethod {
  readonly plan: TuningPlan;
  readonly result: TuningResult;
  readonly opening: number;
}

export interface TuningsOptions {
  readonly start?: (backend: BackendName) => ServicePort<TuningCommands, TuningEvent>;
  /** Milliseconds. */
  readonly now?: () => number;
}

const CANCELLED = new Error('cancelled');

function keyOf(values: Point): string {
  return values.join(' ');
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<TuningCommands, TuningEvent> {
  return workerPort(
    new Worker(new URL('./tuning-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that tunes the method broke down: ${why}`),
  );
}

export function createTunings(
  reader: Pick<Reader, 'sweep'>,
  { start = startWorker, now = () => performance.now() }: TuningsOptions = {},
) {
  const subject = signal<TuningSubject | undefined>(undefined);
  const form = signal<TuningForm | undefined>(undefined);
  const progress = signal<TuningProgress | undefined>(undefined);
  /** Plan of the current tuning, or of the last one. */
  const planned = signal<TuningPlan | undefined>(undefined);
  const trials = signal<readonly Trials[]>([]);
  const tuned = signal<TunedMethod | undefined>(undefined);
  /** Why there is no result. */
  const failure = signal<string | undefined>(undefined);

  /** What the method is called on screen. */
  const title = computed(() => {
    const label = form.value?.method;
    const kind = subject.value?.scenario.methods.find((method) => method.label === label)?.kind;
    return kind !== undefined && kind === label ? kindTitle(kind) : (label ?? '');
  });
  const plan = computed(() =>
    subject.value && form.value ? planOf(subject.value.raw, form.value) : { problem: 'There is no method to tune.' },
  );

  const drawn = createSweeps(reader);
  /** What the map draws: the best and those like it as the search judges them, once it has. */
  const map = {
    ...drawn,
    findings: computed(() => (tuned.value ? findingsOfResult(tuned.value.result, trials.value) : drawn.findings.value)),
  };

  let began = 0;
  let stop: (() => void) | undefined;

  /** Begins with another method, unless one is being tuned. @returns whether there is something to tune */
  function choose(next: TuningSubject, method: string): boolean {
    if (progress.value) return true;
    const isSame = form.value?.method === method && subject.value?.opening === next.opening;
    const asked = isSame ? form.value : usualForm(next.scenario, method, parameterTitle);
    if (!asked) return false;
    batch(() => {
      subject.value = next;
      form.value = asked;
      failure.value = undefined;
      if (!isSame) clear();
    });
    return true;
  }

  function change(changes: Partial<TuningForm>): void {
    if (form.value) form.value = { ...form.value, ...changes };
  }

  /** Takes what is known so far, and puts it on the map. */
  function keep(next: readonly Trials[], of: TuningPlan): void {
    batch(() => {
      trials.value = next;
      drawn.table.value = tableOfTrials(of, next);
    });
  }

  /** @returns the trials with those of points that are new among them */
  function withPoints(points: readonly Point[], { seeds }: TuningPlan): readonly Trials[] {
    const known = new Set(trials.value.map(({ values }) => keyOf(values)));
    const fresh = points.filter((values) => !known.has(keyOf(values)));
    return [
      ...trials.value,
      ...fresh.map((values) => ({ values, outcomes: Array.from<undefined>({ length: seeds.length }) })),
    ];
  }

  /** An empty map. */
  function clear(): void {
    batch(() => {
      failure.value = undefined;
      planned.value = undefined;
      tuned.value = undefined;
      trials.value = [];
      drawn.close();
    });
  }

  function listen(event: TuningEvent, of: TuningPlan): void {
    const state = progress.value;
    if (!state) return;
    switch (event.type) {
      case 'begin':
        keep(withPoints(event.points, of), of);
        break;
      case 'case': {
        const { values, seed, outcome } = event;
        const key = keyOf(values);
        batch(() => {
          const next = trials.value.map((each) =>
            keyOf(each.values) === key ? { values, outcomes: each.outcomes.with(seed, outcome) } : each,
          );
          keep(next, of);
          progress.value = { ...state, done: state.done + 1, seconds: (now() - began) / 1000 };
        });
        break;
      }
      case 'looking':
        progress.value = { ...state, isLooking: true };
        break;
      default:
        event satisfies never;
    }
  }

  /** Tunes on a backend of its own, beside the page. */
  async function begin(backend: BackendName): Promise<void> {
    const asked = plan.value;
    const of = subject.value;
    if (progress.value || !of || !('plan' in asked)) return;
    began = now();
    batch(() => {
      clear();
      planned.value = asked.plan;
      const points = firstPoints(asked.plan.parameters).map(({ values }) => values);
      keep(withPoints(points, asked.plan), asked.plan);
      if (drawn.table.value) drawn.axes.value = firstAxes(drawn.table.value);
      progress.value = { done: 0, most: asked.plan.cases.most, seconds: 0, isLooking: false };
    });
    const service = startService<TuningCommands, TuningEvent>(start(backend), (event) => listen(event, asked.plan));
    stop = () => service.end(CANCELLED);
    try {
      const result = await service.call('tune', { plan: asked.plan, files: of.files, versions: versionsHere() });
      tuned.value = { plan: asked.plan, result, opening: of.opening };
    } catch (error) {
      if (error !== CANCELLED) failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      stop = undefined;
      progress.value = undefined;
      service.end();
    }
  }

  /** Stops; what was found so far stays on the map. */
  function cancel(): void {
    stop?.();
  }

  return { subject, form, title, plan, planned, progress, trials, tuned, failure, map, choose, change, begin, cancel };
}

export type Tunings = ReturnType<typeof createTunings>;

function createTuningsOf(laboratory: Laboratory): Tunings {
  return createTunings(readerOf(laboratory));
}

/** @returns the tuning of a page */
export function tuningsOf(laboratory: Laboratory): Tunings {
  return laboratory.use(createTuningsOf);
}
