/** What every kernel took, and how near it came to what the machine can do at most. */
import { describeClock, describeFraction, kernelRows } from '../../figures/kernels.ts';
import type { KernelRow } from '../../figures/kernels.ts';
import { formatColumn, formatNumber, formatPercent } from '../../format/numbers.ts';
import { scrolled } from '../figures/table.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

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
