/** What the methods of a run have left cycle by cycle, of all cycles that were run: their diagnostics, and which of them diverged. */
import { computed, signal } from '@preact/signals';
import { withWarning } from '../../../engine/index.ts';
import type { CycleDiagnostics, MethodDivergence } from '../../../engine/index.ts';

type Diagnostics = ReadonlyMap<string, readonly CycleDiagnostics[]>;

/** @returns diagnostics by method, ascending by cycle, with rows in place of those of the same cycles and later ones */
function withRows(known: Diagnostics, rows: readonly CycleDiagnostics[]): Diagnostics {
  const next = new Map(known);
  for (const method of new Set(rows.map((row) => row.method))) {
    const sorted = rows.filter((row) => row.method === method).sort((a, b) => a.cycle - b.cycle);
    const before = (next.get(method) ?? []).filter((each) => each.cycle < sorted[0].cycle);
    next.set(method, [...before, ...sorted]);
  }
  return next;
}

export function createMethodRecords() {
  /** By method label, in cycle order. */
  const diagnostics = signal<Diagnostics>(new Map());
  /** Methods that diverged, in the order in which they did. */
  const divergences = signal<readonly MethodDivergence[]>([]);
  /** By method label the cycle in which it diverged: a gap in what is stored is not taken for an end. */
  const divergedMethods = computed<ReadonlyMap<string, number>>(
    () => new Map(divergences.value.map(({ method, cycle }) => [method, cycle])),
  );

  /** What was warned of, each once, with how often. */
  const warnings = signal<readonly string[]>([]);

  /** @returns the rows of a cycle, by method label */
  function rowsAt(cycle: number): ReadonlyMap<string, CycleDiagnostics> {
    const found = new Map<string, CycleDiagnostics>();
    for (const [method, rows] of diagnostics.value) {
      const row = rows.find((each) => each.cycle === cycle);
      if (row) found.set(method, row);
    }
    return found;
  }

  /** Stores diagnostics in cycle order, in place of those of the same cycles and later ones. */
  function addDiagnostics(rows: readonly CycleDiagnostics[]): void {
    diagnostics.value = withRows(diagnostics.value, rows);
  }

  /** A method diverged, in this cycle or, where the run is computed again, as before. */
  function addDivergence(divergence: MethodDivergence): void {
    const others = divergences.value.filter(({ method }) => method !== divergence.method);
    divergences.value = [...others, divergence];
  }

  function addWarning(message: string): void {
    warnings.value = withWarning(warnings.value, message);
  }

  /** Forgets a cycle and all that came after it. */
  function dropFrom(first: number): void {
    diagnostics.value = new Map(
      [...diagnostics.value].map(([method, rows]) => [method, rows.filter((row) => row.cycle < first)]),
    );
    divergences.value = divergences.value.filter((each) => each.cycle < first);
  }

  function clear(): void {
    diagnostics.value = new Map();
    divergences.value = [];
    warnings.value = [];
  }

  return {
    diagnostics,
    divergences,
    divergedMethods,
    warnings,
    rowsAt,
    addDiagnostics,
    addDivergence,
    addWarning,
    dropFrom,
    clear,
  };
}
