/** The table of methods, and how they differ in one run or over seeds. */
import { comparedVariables, describeAgainst, describeInRun, unitOf, worseThanFreeRun } from '../../../engine/index.ts';
import type { Difference, MethodResult, Reference } from '../../../engine/index.ts';
import { formatColumn, formatPercent, formatTimes, formatNumber } from '../../format/numbers.ts';
import { withUnit } from '../../fields/fields.ts';
import type { MethodStyle } from '../../document/views/method-style.ts';
import { figure, swatch, EM, PLOT_WIDTH, tenth } from '../figures/plot.ts';
import { scrolled, tableHead, html, type Markup } from '../markup.ts';
import { headOf, nameIn, type Comparison, type Report, type Section } from '../report.ts';
import type { ReportedRun } from '../run/reported-run.ts';
import { createScale } from '../../plot/scales.ts';

/** Ratios of methods' errors with their intervals: a line a method, 1 marked. */
interface ComparedMethod {
  readonly name: string;
  /** Undefined if it is not drawn. */
  readonly found: Difference | undefined;
}

const ROW = 2.3 * EM;
const LEFT = 10 * EM;
const RIGHT = 1.5 * EM;
/** Letters that fit before the lines. */
const MOST_LETTERS = 17;

function shortened(name: string): string {
  return name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 1)}…`;
}

/** All of the values and 1, with room about them. */
function domainOf(values: readonly number[]): readonly [number, number] {
  const [low, high] = [Math.min(1, ...values), Math.max(1, ...values)];
  return [low / 1.1, high * 1.1];
}

/**
 * @param against what the methods are compared with, as the axis names it
 * @returns undefined if nothing can be drawn because no interval is bounded
 */
function changesSvg(methods: readonly ComparedMethod[], against: string): Markup | undefined {
  const known = methods.flatMap(({ name, found }) => {
    if (found?.change.scale !== 'relative') return [];
    const { estimate, low, high } = found.change;
    const ratios = [estimate, low, high].map((change) => 1 + change);
    return ratios.every((ratio) => Number.isFinite(ratio) && ratio > 0) ? [{ name, ratios }] : [];
  });
  if (known.length === 0) return undefined;
  const bottom = tenth(ROW * known.length + 0.5 * EM);
  const values = known.flatMap(({ ratios }) => ratios);
  const axis = { label: '', unit: '', scale: 'log', domain: domainOf(values) } as const;
  const { at, ticks } = createScale(axis, [], [LEFT, PLOT_WIDTH - RIGHT], false, EM);
  const grid = ticks.map(({ value, text }) => {
    const x = tenth(at(value));
    return html`<line class="grid" x1="${x}" x2="${x}" y1="0" y2="${bottom}" /><text
        class="tick"
        x="${x}"
        y="${tenth(bottom + 1.1 * EM)}"
        text-anchor="middle"
        >${text}</text
      >`;
  });
  const rows = known.map(({ name, ratios }, index) => {
    const y = tenth(ROW * (index + 0.5));
    const [estimate, low, high] = ratios.map((ratio) => tenth(at(ratio)));
    return html`<text class="name" x="0" y="${y}" dy="0.32em">${shortened(name)}</text
      ><line class="interval" x1="${low}" x2="${high}" y1="${y}" y2="${y}" /><circle
        class="estimate"
        cx="${estimate}"
        cy="${y}"
        r="4"
      />`;
  });
  const said = known.map(({ name, ratios }) => {
    const [estimate, low, high] = ratios.map(formatNumber);
    return `${name} ${estimate}, from ${low} to ${high}`;
  });
  const summary = `Errors as multiples of that of ${against}, with intervals: ${said.join('; ')}.`;
  const [height, one] = [tenth(bottom + 3 * EM), tenth(at(1))];
  return html`<svg class="chart" role="img" aria-label="${summary}" viewBox="0 0 ${PLOT_WIDTH} ${height}">
    ${grid}
    <line class="zero" x1="${one}" x2="${one}" y1="0" y2="${bottom}" />
    ${rows}
    <text
      class="axis-title"
      x="${(LEFT + PLOT_WIDTH - RIGHT) / 2}"
      y="${tenth(bottom + 2.5 * EM)}"
      text-anchor="middle"
    >
      Error as a multiple of that of ${shortened(against)}
    </text>
  </svg>`;
}

interface ResultRow {
  readonly run: ReportedRun;
  readonly style: MethodStyle;
  readonly result: MethodResult;
  /** The cycle in which it diverged. */
  readonly divergedAt: number | undefined;
}

interface Column {
  readonly head: readonly [what: string, of: string];
  readonly texts: readonly string[];
}

function rowsOf(run: ReportedRun): ResultRow[] {
  const results = run.compared.summary.results(run.record.methods);
  return results.flatMap((result, index) => {
    const divergedAt = run.compared.diverged.find(({ method }) => method === result.method)?.cycle;
    return [{ run, style: run.styles[index], result, divergedAt }];
  });
}

function spreadOf({ result: { spread } }: ResultRow, variable: string): number | undefined {
  return spread.analysis[variable];
}

/** Whether the skill of the pattern comes first, since water is added to the truth alone. */
function isPattern(rows: readonly ResultRow[]): boolean {
  return rows.every(({ run }) => run.compared.summary.headline === 'pattern');
}

function skillColumns(rows: readonly ResultRow[]): Column[] {
  // Means over other cycles than the free run's cannot be compared with it.
  const texts = (quantity: 'skill' | 'skillPattern'): string[] =>
    rows.map(({ result, divergedAt }) => formatPercent(divergedAt === undefined ? result[quantity] : null));
  if (!isPattern(rows)) return [{ head: ['Skill', 'against the free run'], texts: texts('skill') }];
  return [
    { head: ['Skill', 'of the pattern'], texts: texts('skillPattern') },
    { head: ['Skill', 'with the level'], texts: texts('skill') },
  ];
}

function columnsOf(rows: readonly ResultRow[], variables: readonly string[]): Column[] {
  const column = (what: string, of: string, read: (row: ResultRow) => number | null | undefined): Column => ({
    head: [what, of],
    texts: formatColumn(rows.map(read)),
  });
  const measures = variables.flatMap((variable) => {
    const name = withUnit(variable, unitOf(variable));
    return [
      column('RMSE, forecast', name, ({ result }) => result.rmse.forecast[variable]),
      column('RMSE, analysis', name, ({ result }) => result.rmse.analysis[variable]),
      ...(isPattern(rows)
        ? [
            column('Level', `analysis, ${name}`, ({ result }) => result.rmseLevel.analysis[variable]),
            column('Pattern', `analysis, ${name}`, ({ result }) => result.rmsePattern.analysis[variable]),
          ]
        : []),
      column('Spread, analysis', name, (row) => spreadOf(row, variable)),
    ];
  });
  return [...measures, ...skillColumns(rows), { head: ['Time', 'ms a cycle'], texts: formatTimes(rows.map(timeOf)) }];
}

function timeOf({ result: { rmse, milliseconds } }: ResultRow): number | undefined {
  return Object.keys(rmse.analysis).length > 0 ? milliseconds.forecast + milliseconds.analysis : undefined;
}

function resultsTable(report: Report): Markup {
  const rows = report.runs.flatMap(rowsOf);
  const columns = columnsOf(rows, report.comparison.variables);
  const bodies = report.runs.map((run) => {
    const head = headOf(report, run);
    const lines = rows.flatMap((row, index) => (row.run === run ? [lineOf(row, columns, index)] : []));
    return html`<tbody>
      ${
        head !== undefined &&
        html`<tr class="group">
          <th scope="rowgroup" colspan="${columns.length + 1}">${head}</th>
        </tr>`
      }${lines}
    </tbody>`;
  });
  const heads = columns.map(({ head: [what, of] }) => html`${what}<span>${of}</span>`);
  return scrolled(
    'results',
    html`<table class="numbers">
      ${tableHead(['Method', ...heads])} ${bodies}
    </table>`,
  );
}

function lineOf({ style, divergedAt }: ResultRow, columns: readonly Column[], index: number): Markup {
  const ended = divergedAt !== undefined && html`<span>diverged in cycle ${divergedAt}</span>`;
  return html`<tr>
    <th scope="row">${swatch(style)}${style.title}${ended}</th>
    ${columns.map(({ texts }) => html`<td>${texts[index]}</td>`)}
  </tr>`;
}

const AGAINST: Readonly<Record<Reference, (least: string) => string>> = {
  least: (least) => `Against ${least}, which has the least error`,
  'free-run': () => 'Against the free run',
  first: () => 'Against the same in [1]',
};

interface DescribedPair {
  readonly method: string;
  readonly reference: Reference;
  readonly against: string;
  readonly difference: Difference | undefined;
  readonly words: string;
}

function describedPairs({ over, comparisons }: Comparison): readonly DescribedPair[] {
  if (over === undefined) return [];
  return over === 'cycles'
    ? comparisons.pairs.map(({ comparison, ...pair }) => ({
        ...pair,
        difference: comparison,
        words: describeInRun(comparison),
      }))
    : comparisons.pairs.map(({ comparison, ...pair }) => ({
        ...pair,
        difference: comparison?.verdict === 'too-few' ? undefined : comparison,
        words: describeAgainst(comparison),
      }));
}

/** The pairs with one reference; if the free run has the least error, one of the two references says it. */
function pairsOf(comparison: Comparison, reference: Reference): readonly DescribedPair[] {
  const { least } = comparison.comparisons;
  return describedPairs(comparison).filter(
    (pair) => pair.reference === reference && (reference === 'least' || pair.against !== least),
  );
}

function differencesTable(report: Report): Markup | undefined {
  const { comparison } = report;
  const { over, comparisons } = comparison;
  const { least, pairs } = comparisons;
  if (over === undefined || least === undefined || pairs.length === 0) return undefined;
  const name = nameIn(report);
  const references = (['least', 'first', 'free-run'] as const).filter((each) => pairsOf(comparison, each).length > 0);
  const lines = [...new Set(pairs.map(({ method }) => method))].map((method) => {
    const cells = references.map((reference) => {
      const pair = pairsOf(comparison, reference).find((each) => each.method === method);
      return html`<td>${pair?.words ?? ''}</td>`;
    });
    return html`<tr>
      <th scope="row">${name(method)}</th>
      ${cells}
    </tr>`;
  });
  const heads = references.map((reference) => AGAINST[reference](name(least)));
  return scrolled(
    'differences',
    html`<table class="words">
      ${tableHead(['Method', ...heads])}
      <tbody>
        ${lines}
      </tbody>
    </table>`,
  );
}

function describeNumbers({ over, variables }: Comparison): string {
  const what = `the RMSE of the analysis of ${variables.join(' and ')}${variables.length > 1 ? ', their geometric mean' : ''}`;
  return over === 'seeds'
    ? `Ratio of ${what}: median over the seeds with its exact interval, 95 % with six seeds or more. Verdicts are corrected for all pairs of methods.`
    : `Ratio of ${what} with its 95 % interval over the cycles of this run. This run is one seed, and other seeds may differ: even equal methods differ for a whole run, so no winner is named.`;
}

function changesFigure(report: Report): Markup | undefined {
  const { comparison } = report;
  const name = nameIn(report);
  const pairs = pairsOf(comparison, 'least');
  const drawn = changesSvg(
    pairs.map(({ method, difference }) => ({ name: name(method), found: difference })),
    comparison.comparisons.least === undefined ? '' : name(comparison.comparisons.least),
  );
  if (!drawn) return undefined;
  return figure(drawn, { caption: describeNumbers(comparison) });
}

/** What is worse than the free run, observed or not; a sentence each. */
function worseWords({ runs }: Report): readonly string[] {
  return runs.flatMap(({ name, scenario, record, compared }) =>
    worseThanFreeRun(scenario, record.methods, compared.summary, compared.diverged).map(({ words }) =>
      runs.length > 1 ? `${name}: ${words}` : words,
    ),
  );
}

export function resultsSection(report: Report): Section {
  const { comparison, runs } = report;
  const [{ scenario }] = runs;
  const { spinup, cycles } = scenario.experiment;
  const over = spinup > 0 && spinup < cycles ? `the cycles from ${spinup} on` : 'all cycles';
  const differences = differencesTable(report);
  return {
    id: 'results',
    title: 'Results',
    body: html`${resultsTable(report)} ${worseWords(report).map((words) => html`<p class="remark">${words}</p>`)}
      <p class="note">
        Means over ${over}. Methods are compared by ${comparedVariables(scenario).join(' and ')}, which the networks
        observe. Skill is the share of the free run’s error that is gone.
      </p>
      ${comparison.why !== undefined && html`<p>${comparison.why[0].toUpperCase()}${comparison.why.slice(1)}.</p>`}
      ${differences}${changesFigure(report)}
      ${comparison.leftOut.map((sentence) => html`<p class="note">${sentence}</p>`)}`,
  };
}
