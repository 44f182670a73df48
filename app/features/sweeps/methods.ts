/** The methods of a sweep as they look everywhere: titles, hues, dashes. */
import { isRecord } from '../../../engine/index.ts';
import { methodStyles } from '../../document/views/method-style.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import type { SweepTable } from '../reading/sweep-table.ts';

interface DescribedMethod {
  readonly label: string;
  readonly kind: string;
}

/** The methods as the scenario's file has them, in its order: a label is the kind if there is none. */
function describedMethods({ scenario }: Pick<SweepTable, 'scenario'>): DescribedMethod[] {
  const entries: unknown = scenario['methods'];
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).map((entry) => {
    const kind = String(entry['kind']);
    return { kind, label: typeof entry['label'] === 'string' ? entry['label'] : kind };
  });
}

/** @returns a style for each method of the sweep, in its order; of one that the scenario does not describe, that of an unknown kind */
export function sweepStyles(table: Pick<SweepTable, 'methods' | 'scenario'>): readonly MethodStyle[] {
  const described = describedMethods(table);
  const all = [
    ...described,
    ...table.methods
      .filter((label) => described.every((method) => method.label !== label))
      .map((label) => ({ label, kind: label })),
  ];
  const styles = methodStyles(all.map((method) => ({ ...method, members: 1 })));
  return table.methods.flatMap((label) => styles.find((style) => style.label === label) ?? []);
}

/** @returns by number the method whose settings were varied first; of a sweep that varies none of them, the last */
export function firstMethod(table: Pick<SweepTable, 'axes' | 'methods' | 'scenario'>): number {
  const described = describedMethods(table);
  for (const { path } of table.axes) {
    const index = Number(/^methods\[(\d+)\]/.exec(path)?.[1] ?? Number.NaN);
    const found = table.methods.findIndex((label) => label === described[index]?.label);
    if (found >= 0) return found;
  }
  return table.methods.length - 1;
}
