/** What differs between the scenarios of several runs, by path. */
import { scrolled, tableHead } from '../figures/table.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import type { Report, Section } from '../report.ts';
import { versionDifferences } from '../../../engine/index.ts';

/** Longer values are cut off; the scenarios have them whole. */
const LONGEST = 120;

function shown(value: unknown): string {
  if (value === undefined) return 'not there';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function runsOf(report: Report): Markup {
  const rows = report.comparison.groups.flatMap(({ number, runs }) =>
    runs.map(
      ({ name, scenario, seed, backend, state, completedCycles, cycles }) =>
        html`<tr>
          <th scope="row">[${number}] ${name}</th>
          <td>${scenario.title || scenario.name}</td>
          <td>${seed}</td>
          <td>${backend.name}</td>
          <td>
            ${state === 'complete' ? `${cycles} cycles` : `${state} after ${completedCycles} of ${cycles} cycles`}
          </td>
        </tr>`,
    ),
  );
  return scrolled(
    'runs',
    html`<table class="words">
      ${tableHead(['Run', 'Scenario', 'Seed', 'Backend', 'State'])}
      <tbody>
        ${rows}
      </tbody>
    </table>`,
  );
}

function differencesOf(report: Report): Markup | undefined {
  const { groups } = report.comparison;
  const rows = groups.flatMap(({ number, differences }) =>
    differences.map(
      ({ path, before, after }) =>
        html`<tr>
          <td>[${number}]</td>
          <th scope="row"><code>${path}</code></th>
          <td>${shown(before)}</td>
          <td>${shown(after)}</td>
        </tr>`,
    ),
  );
  if (rows.length === 0) return undefined;
  const table = html`<table class="words">
    ${tableHead(['Run', 'Path', 'In [1]', 'There'])}
    <tbody>
      ${rows}
    </tbody>
  </table>`;
  return html`<h3>Settings that differ from those of [1]</h3>
    ${scrolled('differing settings', table)}`;
}

/** @returns undefined of a single run */
export function differencesSection(report: Report): Section | undefined {
  const { runs, comparison, figured } = report;
  if (runs.length === 1) return undefined;
  const versions = versionDifferences(runs.map(({ compared }) => compared));
  const same = comparison.groups.length === 1 && html`<p>They are of the same settings and differ by their seed.</p>`;
  return {
    id: 'runs',
    title: 'The runs and what differs',
    body: html`${runsOf(report)}${same}${differencesOf(report)}
    ${versions.length > 0 && html`<p class="remark">The runs are of other versions, whose numbers may differ: ${versions.join('; ')}.</p>`}
    ${figured.length < runs.length && html`<p class="note">Figures are of ${figured.length} of the ${runs.length} runs; tables have all of them.</p>`}`,
  };
}
