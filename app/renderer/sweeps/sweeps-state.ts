/** What the page of sweeps of one window shows: a table, what of it was chosen, and what is known of its cells so far. */
import { batch, computed, signal } from '@preact/signals';
import type { Reader } from '../reading/reader.ts';
import { arrange, chooseAxis, firstAxes, variedAxes } from './arrangement.ts';
import type { AxisChoice } from './arrangement.ts';
import { cellsOf, combinationsOf, knownValues, trialsOf } from './cells.ts';
import type { Interval, Subject } from './cells.ts';
import { findingsOf } from './findings.ts';
import { intervalOf } from './intervals.ts';
import { tableOfScan } from './scan-table.ts';
import type { Scan, ScannedScenario } from './scan-table.ts';
import { inSlices } from './slices.ts';
import type { SliceOptions } from './slices.ts';
import type { SweepTable } from './table.ts';

/** What is drawn of a sweep: heat maps, lines, or which method is best where. */
export type SweepView = 'map' | 'lines' | 'methods';

export interface SweepsOptions extends Omit<SliceOptions, 'signal'> {
  readonly reader: Pick<Reader, 'sweep'>;
}

const NO_SUBJECT: Subject = { measure: 0, method: 0 };

export function createSweeps({ reader, ...slices }: SweepsOptions) {
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
  /** Of the medians of all cells; undefined while they are computed, and of a table that has no single runs. */
  const intervals = signal<readonly (Interval | null)[] | undefined>(undefined);

  const combinations = computed(() => (table.value ? combinationsOf(table.value) : []));
  const cells = computed(() => (table.value ? cellsOf(table.value, combinations.value, subject.value) : []));
  const arrangement = computed(() => table.value && arrange(table.value, combinations.value, axes.value));
  const findings = computed(() => {
    const measure = table.value?.measures[subject.value.measure];
    return measure && findingsOf(measure, cells.value, intervals.value ?? []);
  });
  /** The combination that the readout tells of: under the pointer, else where keys are, else the best. */
  const told = computed(() => pointed.value ?? reached.value ?? findings.value?.best ?? 0);

  let computing = new AbortController();

  async function computeIntervals(): Promise<void> {
    computing.abort();
    computing = new AbortController();
    const { signal: aborted } = computing;
    const shown = table.value;
    intervals.value = undefined;
    if (!shown || shown.kind === 'medians') return;
    const of = subject.value;
    const all = combinations.value;
    const found = await inSlices(all.length, (number) => intervalOf(knownValues(trialsOf(shown, all[number], of))), {
      ...slices,
      signal: aborted,
    });
    if (found && !aborted.aborted) intervals.value = found;
  }

  function show(next: SweepTable): void {
    batch(() => {
      failure.value = undefined;
      pointed.value = undefined;
      reached.value = undefined;
      seed.value = undefined;
      table.value = next;
      subject.value = NO_SUBJECT;
      axes.value = firstAxes(next);
      view.value = variedAxes(next).length === 1 ? 'lines' : 'map';
    });
    void computeIntervals();
  }

  let latest = 0;

  /** Shows what a file holds, in place of what is there; what is wrong with it is told. */
  async function open(file: { readonly name: string; readonly bytes: Uint8Array }): Promise<void> {
    latest += 1;
    const turn = latest;
    reading.value = file.name;
    try {
      const read = await reader.sweep(file);
      if (turn === latest) show(read);
    } catch (error) {
      if (turn === latest) failure.value = error instanceof Error ? error.message : String(error);
    } finally {
      if (turn === latest) reading.value = undefined;
    }
  }

  /** Shows how the settings of a scenario's method were found. */
  function openScan(scenario: ScannedScenario, scan: Scan): void {
    latest += 1;
    reading.value = undefined;
    show(tableOfScan(scenario, scan));
  }

  /** Back to the choice of what to show. */
  function close(): void {
    latest += 1;
    computing.abort();
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
    void computeIntervals();
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
    intervals,
    combinations,
    cells,
    arrangement,
    findings,
    told,
    open,
    openScan,
    close,
    chooseSubject,
    choosePlace,
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;
