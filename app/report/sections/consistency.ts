/** Whether what the methods believe of their errors agrees with their errors: a line a figure, a column a method. */
import { consistencyOf, type ConsistencyFigure, type ConsistencyVerdict } from '../../../engine/index.ts';
import { beyondMark, layoutStrip, STRIP_HEIGHT, stripWords } from '../../figures/consistency-strip.ts';
import { formatNumber, formatQuantity } from '../../format/numbers.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { colourOf } from '../style.ts';
import { swatch, tenth } from '../figures/plot.ts';
import { scrolled, tableHead, html, type Markup } from '../markup.ts';
import { headOf, type Report, type Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';

const VERDICTS: Readonly<Record<ConsistencyVerdict, readonly [sign: string, word: string]>> = {
  good: ['✓', 'good'],
  low: ['▼', 'low'],
  high: ['▲', 'high'],
  unknown: ['', 'cannot be said'],
};

/** Width of a strip, pixels. */
const STRIP_WIDTH = 96;

/** As in the window: what is good shaded, the value a mark, its interval a line, a triangle where the value lies beyond an end. */
function stripOf(figure: ConsistencyFigure, good: readonly [number, number], style: MethodStyle): Markup {
  const { good: shaded, value, beyond, interval } = layoutStrip(figure, good);
  const pixels = (share: number): number => tenth(share * STRIP_WIDTH);
  const [words, middle] = [stripWords(figure), STRIP_HEIGHT / 2];
  const mark =
    beyond === undefined
      ? html`<circle cx="${pixels(value)}" cy="${middle}" r="4" />`
      : html`<polygon points="${beyondMark(beyond)}" transform="translate(${pixels(value)} 0)" />`;
  return html`<svg
    class="strip"
    role="img"
    aria-label="${words}"
    width="${STRIP_WIDTH}"
    height="${STRIP_HEIGHT}"
    fill="${colourOf(style)}"
    stroke="${colourOf(style)}"
  >
    <title>${words}</title>
    <rect width="${STRIP_WIDTH}" height="${STRIP_HEIGHT}" />
    <rect class="shaded" x="${pixels(shaded[0])}" width="${pixels(shaded[1] - shaded[0])}" height="${STRIP_HEIGHT}" />
    ${
      interval && html`<line x1="${pixels(interval[0])}" x2="${pixels(interval[1])}" y1="${middle}" y2="${middle}" />`
    }${mark}
  </svg>`;
}

function cellOf(figure: ConsistencyFigure | undefined, style: MethodStyle | undefined): Markup {
  if (!figure) return html`<td>–</td>`;
  const { value, unit, interval, good, verdict } = figure;
  const [sign, word] = VERDICTS[verdict];
  const ends = interval && `${formatNumber(interval[0])} to ${formatNumber(interval[1])}`;
  return html`<td>
    <b>${formatQuantity(value, unit)}</b>${ends !== undefined && html`<span>${ends}</span>`}<span
      class="judged ${verdict}"
      >${sign} ${word}</span
    >${style && good && stripOf(figure, good, style)}
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
      ${columns.map(({ byKey, style }) => cellOf(byKey.get(key), style))}
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
        % intervals by block bootstrap. A figure is called low or high only where its whole interval is. The shaded part
        of a strip is what is good; a triangle at its end is a value beyond it.
      </p>
      ${parts}`,
  };
}
