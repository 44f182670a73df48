/** The tuning of a method in one window: what is asked for, how far it is, what each setting gave so far, and what was found. */
import { batch, computed, signal } from '@preact/signals';
import { firstPoints, parameterTitle, startService, isRecord, methodTuning } from '../../../engine/index.ts';
import type {
  BackendName,
  Point,
  Scenario,
  ServicePort,
  TuningPlan,
  TuningResult,
  SeedOutcome,
  Path,
} from '../../../engine/index.ts';
import { readerOf, type Reader } from '../reading/worker-reader.ts';
import { kindTitle } from '../../document/views/method-style.ts';
import { versionsHere } from '../../page/versions-here.ts';
import { firstAxes } from '../sweeps/arrangement.ts';
import { createSweeps } from '../sweeps/sweeps-state.ts';
import { computingPort } from '../../document/compute/workers.ts';
import { createStoppable } from '../../workers/worker-port.ts';
import type { TuningCommands, TuningEvent } from './tuning-service.ts';
import { planOf, usualForm, type TuningForm } from './tuning-form.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';
import { withUnit } from '../../fields/fields.ts';
import type { Findings } from '../sweeps/words.ts';
import { emptyTable, OUTCOMES, ROW_STATES, type SweepTable } from '../reading/sweep-table.ts';
import type { RunView } from '../../document/run-view.ts';

function asHead(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What one setting gave so far: an outcome for each seed, undefined where it was not run yet. */
interface Trials {
  readonly values: Point;
  readonly outcomes: readonly (SeedOutcome | undefined)[];
}

function tableOfTrials(plan: TuningPlan, trials: readonly Trials[]): SweepTable {
  const { name, method, parameters, measure, seeds, raw } = plan;
  const axes = parameters.map(({ path, title, name: key, unit }, axis) => ({
    path,
    title: withUnit(asHead(parameterTitle({ title, name: key })), unit),
    values: [...new Set(trials.map(({ values }) => values[axis]))].sort((a, b) => a - b),
  }));
  const rows = trials.flatMap(({ values, outcomes }) => outcomes.map((outcome, seed) => ({ values, seed, outcome })));
  const reasons = new Map(
    rows.flatMap(({ outcome }, row) => (outcome?.reason === undefined ? [] : [[row, outcome.reason] as const])),
  );
  const table = emptyTable(
    {
      name: `${name}-tuning-${method}`,
      source: `tuning of ${method}`,
      backend: '',
      remark: '',
      scenario: isRecord(raw) ? raw : {},
      axes,
      methods: [method],
      measures: [measure],
      seeds,
      kind: 'runs',
      taken: undefined,
    },
    rows.length,
    reasons,
  );
  rows.forEach(({ values, seed, outcome }, row) => {
    values.forEach((value, axis) => (table.places[row * axes.length + axis] = axes[axis].values.indexOf(value)));
    table.rowSeeds[row] = seeds[seed];
    const state = outcome === undefined ? 'waiting' : outcome.reason === undefined ? 'complete' : 'failed';
    table.states[row] = ROW_STATES.indexOf(state);
    if (outcome === undefined || outcome.reason !== undefined) return;
    table.outcomes[row] = OUTCOMES.indexOf(outcome.value === null ? 'diverged' : 'complete');
    if (outcome.value !== null) table.values[row] = outcome.value;
  });
  return table;
}

/** @returns what the search found, by the numbers of the points in the order of the trials */
function findingsOfResult({ found }: TuningResult, trials: readonly Trials[]): Findings {
  const numberOf = (values: readonly number[]): number =>
    trials.findIndex((each) => each.values.every((value, axis) => value === values[axis]));
  if (!found) return { best: undefined, alike: new Set() };
  return { best: numberOf(found.best.values), alike: new Set(found.alike.map(numberOf)) };
}

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

function keyOf(values: Point): string {
  return values.join(' ');
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<TuningCommands, TuningEvent> {
  return computingPort(
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
  const { run, cancel } = createStoppable((reason) => {
    failure.value = reason;
  });

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
    await run(
      (error) => service.end(error),
      async () => {
        const result = await service.call('tune', { plan: asked.plan, files: of.files, versions: versionsHere() });
        tuned.value = { plan: asked.plan, result, opening: of.opening };
      },
    );
    progress.value = undefined;
  }

  return { subject, form, title, plan, planned, progress, trials, tuned, failure, map, choose, change, begin, cancel };
}

export type Tunings = ReturnType<typeof createTunings>;

/** @returns the tuning of a page */
export const tuningsOf = slot<Laboratory, Tunings>((laboratory) => createTunings(readerOf(laboratory)));

/** @returns the label of the method at a path of the draft that has something to tune; of a draft with problems none has */
export function tunableLabel(
  { scenario: { draftScenario } }: Pick<RunView, 'scenario'>,
  { path: [list, index] }: { readonly path: Path },
): string | undefined {
  const scenario = draftScenario.value;
  if (list !== 'methods' || !scenario) return undefined;
  const label = scenario.methods[Number(index)]?.label;
  return label !== undefined && methodTuning(scenario, label).settings.length > 0 ? label : undefined;
}

/** Opens the page that tunes a method of the scenario that is being edited. @param label of the method */
export function openTuning(laboratory: Laboratory, { scenario }: RunView, label: string): void {
  const { draft, draftScenario, origin, openings } = scenario;
  if (!draftScenario.value) return;
  const subject = {
    raw: draft.value,
    scenario: draftScenario.value,
    files: origin.value.files,
    opening: openings.value,
  };
  if (tuningsOf(laboratory).choose(subject, label)) laboratory.overlays.openOverlay('tuning');
}
