/**
 * What the page of sweeps of one window shows: a table, what of it was chosen, and what is known of its cells so far. A scan behind a
 * scenario's settings is a table as well: of it the medians over its seeds were kept and nothing of single seeds.
 */
import { reasonOf } from '../../page/notices.ts';
import { nextTask } from '../../page/render-pace.ts';
import { batch, computed, effect, signal } from '@preact/signals';
import { type Scenario, parsePath, settingTitle, type ExpectedResults } from '../../../engine/index.ts';
import { readerOf, type Reader } from '../reading/worker-reader.ts';
import { arrange, chooseAxis, firstAxes, variedAxes, firstMethod, cellsOf, combinationsOf } from './arrangement.ts';
import type { AxisChoice, Subject } from './arrangement.ts';
import { contestAt, whyNoContest, type Contest } from './contest.ts';
import { findingsOf } from './words.ts';
import { type SweepTable, emptyTable, OUTCOMES, ROW_STATES } from '../reading/sweep-table.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';

export type Scan = NonNullable<ExpectedResults['scans']>[number];

/** @returns how the settings of a scenario's methods were found */
export function scansOf({ expected }: Pick<Scenario, 'expected'>): readonly Scan[] {
  return expected?.scans ?? [];
}

/** What is judged, its direction, and what else the scan says of its choice. */
function judged(measure: string): { readonly title: string; readonly best: 'least' | 'most'; readonly remark: string } {
  const [title, ...more] = measure.split(/,\s*|;\s*/);
  const best = /\b(smallest|least|lowest) is best\b/.test(measure) ? 'least' : 'most';
  const remark = more.filter((part) => !part.endsWith(' is best')).join(', ');
  return { title: title.charAt(0).toUpperCase() + title.slice(1), best, remark };
}

/** @returns the path from the root of the scenario: a scan names settings of its method, and those of networks as they are */
function wholePath({ methods }: Pick<Scenario, 'methods'>, { method }: Scan, path: string): string {
  const index = methods.findIndex(({ label }) => label === method);
  return path.startsWith('observations') || index < 0 ? path : `methods[${index}].${path}`;
}

/**
 * @returns the last names of the settings, with those before a variable's: `halfWidth × inflation`, `length × standardDeviation.h`
 */
export function scanTitle({ parameters }: Scan): string {
  return Object.keys(parameters)
    .map((path) => /[^.]+(?:\.\w{1,2})?$/.exec(path)?.[0] ?? path)
    .join(' × ');
}

/** @returns the values of each parameter: those that the scan lists, and those that its table has beside them */
function triedValues({ parameters, table }: Scan): readonly (readonly number[])[] {
  return Object.values(parameters).map((listed, axis) => [
    ...new Set([...listed, ...table.map(({ values }) => values[axis])]),
  ]);
}

/** @param scenario with every default filled in, which is a scenario file as well */
export function tableOfScan(scenario: Scenario, scan: Scan): SweepTable {
  const { method, parameters, measure, seeds, table: tried, best: chosen } = scan;
  const values = triedValues(scan);
  const axes = Object.keys(parameters).map((inside, axis) => {
    const path = wholePath(scenario, scan, inside);
    return { path, title: settingTitle(scenario, parsePath(path) ?? []), values: values[axis] };
  });
  const { title, best, remark } = judged(measure);
  const isChosen = (values: readonly number[]): boolean => values.every((value, axis) => value === chosen[axis]);
  const taken = tried.findIndex(({ values }) => isChosen(values));
  const table = emptyTable(
    {
      name: `${scenario.name}-scan-${method}`,
      source: `${scenario.title || scenario.name}: scan of ${method}`,
      backend: '',
      remark: remark === '' ? '' : `${remark.charAt(0).toUpperCase()}${remark.slice(1)}.`,
      scenario,
      axes,
      methods: [method],
      measures: [{ name: 'measure', title, unit: '', best }],
      seeds,
      kind: 'medians',
      taken: taken < 0 ? undefined : taken,
    },
    tried.length,
  );
  table.states.fill(ROW_STATES.indexOf('complete'));
  for (const [row, { values: at, median }] of tried.entries()) {
    table.outcomes[row] = OUTCOMES.indexOf(median === null ? 'diverged' : 'complete');
    if (median !== null) table.values[row] = median;
    for (const [axis, value] of at.entries()) table.places[row * axes.length + axis] = values[axis].indexOf(value);
  }
  return table;
}

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

type Sweeps = ReturnType<typeof createSweeps>;

function createSweepsOf(laboratory: Laboratory): Sweeps {
  return createSweeps(readerOf(laboratory));
}

/** @returns the sweep that a page shows */
export const sweepsOf = slot<Laboratory, Sweeps>(createSweepsOf);

/** @returns the page with other sweeps in place of its own, for parts that draw them */
export function withSweeps(laboratory: Laboratory, sweeps: Sweeps): Laboratory {
  const own = new Map<unknown, unknown>([[createSweepsOf, sweeps]]);
  return {
    ...laboratory,
    use: <Made>(create: (owner: Laboratory) => Made) =>
      own.has(create) ? (own.get(create) as Made) : laboratory.use(create),
  };
}
