/** What the page of sweeps of one window shows: a table, what of it was chosen, and what is known of its cells so far. */
import { reasonOf } from '../../page/notices.ts';
import { nextTask } from '../../page/render-pace.ts';
import { batch, computed, effect, signal } from '@preact/signals';
import type { Scenario } from '../../../engine/index.ts';
import { readerOf, type Reader } from '../reading/worker-reader.ts';
import { arrange, chooseAxis, firstAxes, variedAxes, firstMethod, type AxisChoice } from './arrangement.ts';
import { cellsOf, combinationsOf, type Subject } from './cells.ts';
import { contestAt, whyNoContest, type Contest } from './contest.ts';
import { findingsOf } from './words.ts';
import { tableOfScan, type Scan } from './scan-table.ts';
import type { SweepTable } from '../reading/sweep-table.ts';
import type { Laboratory } from '../../page/laboratory.ts';

/** Milliseconds after which the page has its turn. */
const SLICE = 12;

/** Long work in short slices, so that the page answers its person in between. */
interface SliceOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds of a clock. */
  readonly now?: () => number;
  /** Lets the page have its turn. */
  readonly rest?: () => Promise<void>;
}

/**
 * @param make what is wanted by number, each a matter of a millisecond or less
 * @returns all of them; undefined when it was aborted
 */
export async function inSlices<Result>(
  count: number,
  make: (number: number) => Result,
  { signal, now = () => performance.now(), rest = nextTask }: SliceOptions = {},
): Promise<Result[] | undefined> {
  const results: Result[] = [];
  while (results.length < count) {
    await rest();
    if (signal?.aborted === true) return undefined;
    const end = now() + SLICE;
    do results.push(make(results.length));
    while (results.length < count && now() < end);
  }
  return results;
}

/** What is drawn of a sweep: heat maps, lines, or which method is best where. */
export type SweepView = 'map' | 'lines' | 'methods';

/** Problems of a file that are reported one by one. */
const MOST_PROBLEMS = 5;

function failureWords(error: unknown): string {
  const lines = reasonOf(error).split('\n');
  return [...lines.slice(0, MOST_PROBLEMS), ...(lines.length > MOST_PROBLEMS ? ['and more'] : [])].join('\n');
}

const NO_SUBJECT: Subject = { measure: 0, method: 0 };

export function createSweeps(reader: Pick<Reader, 'sweep'>, slices: Omit<SliceOptions, 'signal'> = {}) {
  const table = signal<SweepTable | undefined>(undefined);
  /** Name of the file that is being read. */
  const reading = signal<string | undefined>(undefined);
  /** Why there is nothing, or not what was asked for. */
  const failure = signal<string | undefined>(undefined);
  const view = signal<SweepView>('map');
  const subject = signal<Subject>(NO_SUBJECT);
  const axes = signal<AxisChoice>({ x: undefined, y: undefined });
  /** The combination under the pointer, and the one that keys have reached, by number. */
  const pointed = signal<number | undefined>(undefined);
  const reached = signal<number | undefined>(undefined);
  /** That opening a cell runs; undefined for the one that has the median. */
  const seed = signal<number | undefined>(undefined);

  const combinations = computed(() => (table.value ? combinationsOf(table.value) : []));
  const cells = computed(() => (table.value ? cellsOf(table.value, combinations.value, subject.value) : []));
  const arrangement = computed(() => table.value && arrange(table.value, combinations.value, axes.value));
  const findings = computed(() => {
    const measure = table.value?.measures[subject.value.measure];
    return measure && findingsOf(measure, cells.value);
  });
  /** Comparisons of the methods at each combination; undefined while they are computed, or if they cannot be. */
  const contests = signal<readonly Contest[] | undefined>(undefined);
  /** The combination of the readout: under the pointer, else where keys are, else the best. */
  const told = computed(() => pointed.value ?? reached.value ?? findings.value?.best ?? 0);

  let comparing = new AbortController();
  effect(() => {
    comparing.abort();
    comparing = new AbortController();
    contests.value = undefined;
    const shown = table.value;
    const { measure } = subject.value;
    if (!shown || view.value !== 'methods' || whyNoContest(shown, measure) !== '') return;
    const all = combinations.value;
    const compare = (number: number): Contest => contestAt(shown, all[number], measure);
    void inSlices(all.length, compare, { ...slices, signal: comparing.signal }).then((found) => {
      if (found) contests.value = found;
    });
  });

  let latest = 0;

  /** Shows a table that is here already, in place of what is shown or read. */
  function show(next: SweepTable): void {
    latest += 1;
    reading.value = undefined;
    batch(() => {
      failure.value = undefined;
      pointed.value = undefined;
      reached.value = undefined;
      seed.value = undefined;
      table.value = next;
      subject.value = { measure: 0, method: firstMethod(next) };
      axes.value = firstAxes(next);
      view.value = variedAxes(next).length === 1 ? 'lines' : 'map';
    });
  }

  /** Shows what a file holds, in place of what is there, or reports what is wrong with it. */
  async function open(file: {
    readonly name: string;
    readonly bytes: Uint8Array | Promise<Uint8Array>;
  }): Promise<void> {
    latest += 1;
    const turn = latest;
    reading.value = file.name;
    try {
      const read = await reader.sweep({ name: file.name, bytes: await file.bytes });
      if (turn === latest) show(read);
    } catch (error) {
      if (turn === latest) failure.value = failureWords(error);
    } finally {
      if (turn === latest) reading.value = undefined;
    }
  }

  /** Shows how the settings of a scenario's method were found. */
  function openScan(scenario: Scenario, scan: Scan): void {
    show(tableOfScan(scenario, scan));
  }

  /** Back to the choice of what to show. */
  function close(): void {
    latest += 1;
    batch(() => {
      table.value = undefined;
      failure.value = undefined;
      reading.value = undefined;
      pointed.value = undefined;
      reached.value = undefined;
    });
  }

  function chooseSubject(change: Partial<Subject>): void {
    subject.value = { ...subject.value, ...change };
  }

  function choosePlace(which: 'x' | 'y', axis: number | undefined): void {
    axes.value = chooseAxis(axes.value, which, axis);
  }

  return {
    table,
    reading,
    failure,
    view,
    subject,
    axes,
    pointed,
    reached,
    seed,
    combinations,
    cells,
    arrangement,
    findings,
    contests,
    told,
    show,
    open,
    openScan,
    close,
    chooseSubject,
    choosePlace,
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;

function createSweepsOf(laboratory: Laboratory): Sweeps {
  return createSweeps(readerOf(laboratory));
}

/** @returns the sweep that a page shows */
export function sweepsOf(laboratory: Laboratory): Sweeps {
  return laboratory.use(createSweepsOf);
}

/** @returns the page with other sweeps in place of its own, for parts that draw them */
export function withSweeps(laboratory: Laboratory, sweeps: Sweeps): Laboratory {
  const own = new Map<unknown, unknown>([[createSweepsOf, sweeps]]);
  return {
    ...laboratory,
    use: <Made>(create: (owner: Laboratory) => Made) =>
      own.has(create) ? (own.get(create) as Made) : laboratory.use(create),
  };
}
