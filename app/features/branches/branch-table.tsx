/** The branches beside the run, cycle by cycle: the errors of both in the cycle on screen, and the means since the branch left it. */
import type { DataTable } from '../../format/csv.ts';
import { Figure } from '../../figures/figure.tsx';
import { formatColumn } from '../../format/numbers.ts';
import { unitOf } from '../../document/views/series.ts';
import { useRun } from '../../document/context.ts';
import { branchComparisons, comparisonTable, percentText } from './branch-comparison.ts';
import type { BranchComparison } from './branch-comparison.ts';

import { chartsOf } from '../../figures/chart-state.ts';

function Rows({ rows }: { readonly rows: readonly BranchComparison[] }) {
  const texts = formatColumn(rows.flatMap(({ now }) => [now?.ofRun, now?.ofBranch]));
  return (
    <tbody>
      {rows.map(({ key, title, now, since }, index) => (
        <tr key={key}>
          <th scope="row">{title}</th>
          <td>{texts[2 * index]}</td>
          <td>{texts[2 * index + 1]}</td>
          <td class={now && now.ratio < 1 ? 'best' : undefined}>{now ? percentText(now.ratio) : ''}</td>
          <td class={since && since.ratio < 1 ? 'best' : undefined}>{since ? percentText(since.ratio) : ''}</td>
        </tr>
      ))}
    </tbody>
  );
}

export function BranchTable() {
  const run = useRun();
  const { branches } = run;
  const charts = chartsOf(run);
  if (branches.entries.value.length === 0) return null;
  const variables = charts.shownVariables.value;
  const rows = branchComparisons(run, variables);
  const table = (): DataTable => comparisonTable(run, variables);
  const what = `RMSE of ${variables.join(', ')} of the analysis`;
  return (
    <Figure
      id="branches"
      title="Branches"
      help={`${what}${variables[0] === undefined ? '' : ` in ${unitOf(variables[0])}`}: in the cycle on screen, and as a mean since the branch left the run.`}
      picture={false}
      table={table}
      empty={
        rows.length === 0 ? 'Branches are compared here once the run is past the cycle where they leave it.' : undefined
      }
    >
      <div class="results-scroll">
        <table class="results">
          <thead>
            <tr>
              <th scope="col">Method</th>
              <th scope="col">Run</th>
              <th scope="col">Branch</th>
              <th scope="col" title="Of the branch’s error from the run’s, in the cycle on screen">
                Difference
              </th>
              <th scope="col" title="Of the mean errors since the branch left the run">
                Mean
              </th>
            </tr>
          </thead>
          <Rows rows={rows} />
        </table>
      </div>
    </Figure>
  );
}
