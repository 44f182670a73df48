/** Where the numbers come from, how to have them again, the scenario itself, and what every kernel took. */
import { formatScenario } from '../../../engine/index.ts';
import { dataUrl, html, sha256Of, scrolled, type Markup } from '../markup.ts';
import { headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { shellWords } from '../../format/paths.ts';
import { describeClock, describeFraction, kernelRows, type KernelRow } from '../../figures/kernels.ts';
import { formatColumn, formatNumber, formatPercent } from '../../format/numbers.ts';

/** More are in the folder’s kernel-totals.json. */
const MOST_KERNELS = 24;

function ceilingsOf(run: ReportedRun, rows: readonly KernelRow[]): string {
  const { ceilings, totals } = run.kernels;
  const all = rows.reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  const clock = describeClock(
    rows.map((row) => row.clock),
    ceilings,
  );
  const timed = `${formatNumber(all)} ms of kernels a cycle, over ${totals.cycles} timed ${totals.cycles === 1 ? 'cycle' : 'cycles'}; ${clock}.`;
  if (!ceilings) return `${timed} What the machine can do at most was not measured.`;
  const { copyGigabytesPerSecond, fmaGigaflopsPerSecond, dispatchMicroseconds } = ceilings;
  return `${timed} Measured ceilings of the machine: ${formatNumber(copyGigabytesPerSecond)} GB/s copied, ${formatNumber(fmaGigaflopsPerSecond)} GFLOP/s multiplied and added, ${formatNumber(dispatchMicroseconds)} µs for an empty run.`;
}

function kernelTable(run: ReportedRun, rows: readonly KernelRow[]): Markup {
  const shown = rows.slice(0, MOST_KERNELS);
  const columns = [
    formatColumn(shown.map(({ milliseconds }) => milliseconds)),
    shown.map(({ share }) => formatPercent(share)),
    shown.map(({ calls }) => String(calls)),
    formatColumn(shown.map(({ totalMicroseconds, calls }) => totalMicroseconds / calls)),
    formatColumn(shown.map(({ gigabytesPerSecond }) => gigabytesPerSecond)),
    formatColumn(shown.map(({ gigaflopsPerSecond }) => gigaflopsPerSecond)),
  ];
  const lines = shown.map(
    (row, index) =>
      html`<tr>
        <th scope="row"><code>${row.name}</code></th>
        ${columns.map((texts) => html`<td>${texts[index]}</td>`)}
        <td class="words">${describeFraction(row, run.kernels.ceilings)}</td>
      </tr>`,
  );
  const heads = ['ms a cycle', 'Share', 'Calls', 'µs a call', 'GB/s', 'GFLOP/s'];
  return scrolled(
    'kernels',
    html`<table class="numbers small">
      <thead>
        <tr>
          <th scope="col">Kernel</th>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
          <th scope="col" class="words">Of the ceiling</th>
        </tr>
      </thead>
      <tbody>
        ${lines}
      </tbody>
    </table>`,
  );
}

/** What every kernel took, and how near it came to what the machine can do at most. */
export function kernelsSection(report: Report): Section | undefined {
  const parts = report.figured.flatMap((run) => {
    const rows = kernelRows(run.kernels.totals, run.kernels.ceilings);
    if (rows.length === 0) return [];
    const head = headOf(report, run);
    const more =
      rows.length > MOST_KERNELS &&
      html`<p class="note">${rows.length - MOST_KERNELS} more in the folder’s kernel-totals.json.</p>`;
    return [
      html`${head !== undefined && html`<h3>${head}</h3>`}
        <p>${ceilingsOf(run, rows)}</p>
        ${kernelTable(run, rows)}${more}`,
    ];
  });
  if (parts.length === 0) return undefined;
  return {
    id: 'kernels',
    title: 'Kernel times',
    body: html`${parts}
      <p class="note">
        Bytes and operations are counted by formula, times and ceilings are measured. The ceiling is the nearer one at a
        kernel’s operations per byte; above 100 % its data came from caches.
      </p>`,
  };
}

function timeWords(iso: string): string {
  return iso.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
}

function scenarioFile({ scenario }: ReportedRun): string {
  return `${scenario.name}.shoal.json`;
}

/** That repeats the run, with the scenario saved from this page. */
function commandOf(run: ReportedRun): string {
  const { backend, selected } = run.record;
  const methods = (selected ?? []).flatMap((label) => ['--method', label]);
  return `npm run shoal -- run ${shellWords([scenarioFile(run), '--backend', backend.name, ...methods])}`;
}

function factsOf(run: ReportedRun, hash: string): Markup {
  const { record, scenario } = run;
  const facts: readonly (readonly [string, string])[] = [
    ['Scenario', `${scenario.name}, seed ${record.seed}; SHA-256 ${hash}`],
    ['Backend', `${record.backend.name}: ${record.backend.adapter}`],
    [
      'Versions',
      Object.entries(record.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
    ['Begun, ended', `${timeWords(record.start)}, ${timeWords(record.end)}`],
    ...(record.resumed.length > 0 ? [['Continued', record.resumed.map(timeWords).join(', ')] as const] : []),
    ...Object.entries(record.scenarioFiles ?? {}).map(
      ([name, { sha256 }]) => ['File', `${name}: SHA-256 ${sha256}`] as const,
    ),
    ...record.warnings.map((warning) => ['Warning', warning] as const),
  ];
  return html`<dl class="terms">
    ${facts.map(
      ([term, text]) =>
        html`<dt>${term}</dt>
          <dd>${text}</dd>`,
    )}
  </dl>`;
}

function provenanceOf(report: Report, run: ReportedRun): Markup {
  const text = formatScenario(run.scenario);
  const head = headOf(report, run);
  const address = dataUrl('application/json', new TextEncoder().encode(text));
  const files = Object.keys(run.record.scenarioFiles ?? {});
  return html`${head !== undefined && html`<h3>${head}</h3>`}${factsOf(run, sha256Of(text))}
    <p>
      To run it again, save the scenario and give this
      command${files.length > 0 && html`, with ${files.join(', ')} from the run folder beside it`}:
    </p>
    <pre class="command"><code>${commandOf(run)}</code></pre>
    <p class="save"><a class="button" download="${scenarioFile(run)}" href="${address}">Save the scenario</a></p>
    <details>
      <summary>The scenario as it was run</summary>
      <pre><code>${text}</code></pre>
    </details>`;
}

export function provenanceSection(report: Report): Section {
  const parts = report.runs.map((run) => provenanceOf(report, run));
  const again =
    report.command !== undefined &&
    html`<p>This report was made by</p>
      <pre class="command"><code>${report.command}</code></pre>`;
  return { id: 'provenance', title: 'Provenance', body: html`${parts}${again}` };
}
