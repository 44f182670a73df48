/** What the page of sweeps of one window shows: a table, what of it was chosen, and what is known of its cells so far. */
import { batch, computed, signal } from '@preact/signals';
import { isRecord } from '../../../engine/index.ts';
import type { Reader } from '../reading/reader.ts';
import { arrange, chooseAxis, firstAxes, variedAxes } from './arrangement.ts';
import type { AxisChoice } from './arrangement.ts';
import { cellsOf, combinationsOf } from './cells.ts';
import type { Subject } from './cells.ts';
import { findingsOf } from './findings.ts';
import { tableOfScan } from './scan-table.ts';
import type { Scan, ScannedScenario } from './scan-table.ts';
import type { SweepTable } from './table.ts';

/** What is drawn of a sweep: heat maps, lines, or which method is best where. */
export type SweepView = 'map' | 'lines' | 'methods';

const NO_SUBJECT: Subject = { measure: 0, method: 0 };

/** @returns by number the method whose settings were varied first; of a sweep that varies none of them, the last */
function firstMethod({ axes, methods, scenario }: SweepTable): number {
  const described: unknown = scenario['methods'];
  const entries: readonly unknown[] = Array.isArray(described) ? described : [];
  for (const { path } of axes) {
    const entry = entries[Number(/^methods\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN)];
    const label = isRecord(entry) ? (entry['label'] ?? entry['kind']) : undefined;
    const found = methods.findIndex((method) => method === label);
    if (found >= 0) return found;
  }
  return methods.length - 1;
}

export function createSweeps(reader: Pick<Reader, 'sweep'>) {
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
  /** The combination that the readout tells of: under the pointer, else where keys are, else the best. */
  const told = computed(() => pointed.value ?? reached.value ?? findings.value?.best ?? 0);

  function show(next: SweepTable): void {
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
    told,
    open,
    openScan,
    close,
    chooseSubject,
    choosePlace,
  };
}

export type Sweeps = ReturnType<typeof createSweeps>;
