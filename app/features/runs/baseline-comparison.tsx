/** Beneath the table of the methods: each against its like in the baseline, in percent, with the interval. */
import { useComputed } from '@preact/signals';
import { againstBaseline } from './against-baseline.ts';
import type { BaselineComparison } from './against-baseline.ts';
import { shortName } from './differences.ts';
import { useLaboratory } from '../../page/laboratory.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import type { DataTable } from '../../format/csv.ts';
import { runsOf } from './runs-state.ts';

export interface Baseline extends BaselineComparison {
  /** What the baseline is called. */
  readonly title: string;
}

/** @returns the comparison of the run on screen with the baseline; undefined if there is none, or it is the baseline itself */
export function useBaseline(): Baseline | undefined {
  const { runs, baselineRun, runOnScreen } = runsOf(useLaboratory());
  return useComputed(() => {
    const [baseline, onScreen] = [baselineRun.value, runOnScreen.value];
    const found = againstBaseline(baseline, onScreen, runs.value);
    return found && baseline && { ...found, title: shortName(baseline, onScreen) };
  }).value;
}

/** @returns the table of the methods with what each is against the baseline */
export function withBaseline(
  table: DataTable,
  baseline: Baseline | undefined,
  titleOf: (label: string) => string,
): DataTable {
  if (!baseline || baseline.methods.length === 0) return table;
  const { title, methods } = baseline;
  const byTitle = new Map(methods.map((each) => [titleOf(each.label), each]));
  const heads = ['change', 'low', 'high'].map((name) => `${name} against ${title} (%)`);
  return {
    columns: [...table.columns, ...heads, `against ${title}`],
    rows: table.rows.map((row) => {
      const found = byTitle.get(String(row[0]));
      const change = found?.change;
      const percent = (value: number | undefined): number | null =>
        change?.scale === 'relative' && value !== undefined && Number.isFinite(value) ? 100 * value : null;
      return [...row, percent(change?.estimate), percent(change?.low), percent(change?.high), found?.words ?? null];
    }),
  };
}

interface Properties {
  readonly baseline: Baseline;
  readonly styles: readonly MethodStyle[];
}

export function BaselineTable({ baseline: { title, methods, why }, styles }: Properties) {
  return (
    <div class="baseline">
      {methods.length > 0 && (
        <table class="results">
          <thead>
            <tr>
              <th scope="col">Against {title}</th>
              <th scope="col">Error of the analysis</th>
            </tr>
          </thead>
          <tbody>
            {methods.map(({ label, words, isBetter }) => {
              const style = styles.find((each) => each.label === label);
              return (
                <tr key={label}>
                  <th scope="row">
                    <i class="swatch" style={{ background: style?.colour ?? 'currentColor' }} />
                    {style?.title ?? label}
                  </th>
                  <td class={isBetter ? 'best' : undefined}>{words}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
      <p class="figure-note">
        {methods.length === 0 && `Against ${title}: `}
        {why}
      </p>
    </div>
  );
}
