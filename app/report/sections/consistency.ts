/** Whether what the methods believe of their errors agrees with their errors: a line a figure, a column a method. */
import { consistencyOf } from '../../../engine/index.ts';
import type { ConsistencyFigure, ConsistencyVerdict } from '../../../engine/index.ts';
import { formatNumber, formatQuantity } from '../../renderer/charts/numbers.ts';
import { swatch } from '../figures/figure.ts';
import { scrolled, tableHead } from '../figures/table.ts';
import { html } from '../markup.ts';
import type { Markup } from '../markup.ts';
import { headOf } from '../report.ts';
import type { Report, Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

const VERDICTS: Readonly<Record<ConsistencyVerdict, readonly [sign: string, word: string]>> = {
  good: ['✓', 'good'],
  low: ['▼', 'low'],
  high: ['▲', 'high'],
  unknown: ['', 'cannot be said'],
};

function cellOf(figure: ConsistencyFigure | undefined): Markup {
  if (!figure) return html`<td>–</td>`;
  const { value, unit, interval, verdict } = figure;
  const [sign, word] = VERDICTS[verdict];
  const ends = interval && `${formatNumber(interval[0])} to ${formatNumber(interval[1])}`;
  return html`<td>
    <b>${formatQuantity(value, unit)}</b>${ends !== undefined && html`<span>${ends}</span>`}<span
      class="judged ${verdict}"
      >${sign} ${word}</span
    >
  </td>`;
}

function goodWords({ good, unit }: ConsistencyFigure): string {
  return good === undefined ? '–' : `${formatNumber(good[0])} to ${formatQuantity(good[1], unit)}`;
}

function tableOf(run: ReportedRun): Markup | undefined {
  const found = consistencyOf([...run.rows.values()].flat(), run.scenario).filter(({ figures }) => figures.length > 0);
  const keys = [...new Set(found.flatMap(({ figures }) => figures.map(({ key }) => key)))];
  if (keys.length === 0) return undefined;
  const columns = found.map(({ label, figures }) => ({
    style: run.styles.find((style) => style.label === label),
    label,
    byKey: new Map(figures.map((figure) => [figure.key, figure])),
  }));
  const lines = keys.flatMap((key) => {
    const [first] = columns.flatMap(({ byKey }) => byKey.get(key) ?? []);
    return html`<tr>
      <th scope="row">${first.title}<span>${first.meaning}</span></th>
      <td>${goodWords(first)}</td>
      ${columns.map(({ byKey }) => cellOf(byKey.get(key)))}
    </tr>`;
  });
  const heads = columns.map(({ style, label }) => html`${style && swatch(style)}${style?.title ?? label}`);
  return scrolled(
    'consistency',
    html`<table class="numbers consistency">
      ${tableHead(['What is looked at', 'Good', ...heads])}
      <tbody>
        ${lines}
      </tbody>
    </table>`,
  );
}

export function consistencySection(report: Report): Section | undefined {
  const parts = report.figured.flatMap((run) => {
    const table = tableOf(run);
    const head = headOf(report, run);
    return table ? [html`${head !== undefined && html`<h3>${head}</h3>`}${table}`] : [];
  });
  if (parts.length === 0) return undefined;
  return {
    id: 'consistency',
    title: 'Consistency',
    body: html`<p>
        Whether each method’s own idea of its errors agrees with its errors, over the cycles after the spin-up, with 95
        % intervals by block bootstrap. A figure is called low or high only where its whole interval is.
      </p>
      ${parts}`,
  };
}
