/** Where the truth ranks among the forecast members: flat when truth and members are alike. */
import { summariseRanks, sumRanks, type RankSummary } from '../../engine/index.ts';
import type { OverlaidRun } from '../document/lines/overlaid.ts';
import type { MethodStyle } from '../document/views/method-style.ts';
import { ranksOf, type MethodDiagnostics } from '../document/views/series.ts';
import type { DataTable } from '../format/tables.ts';
import { formatNumber, formatProbability } from '../format/numbers.ts';
import type { Bar } from '../plot/bars.ts';
import { overlaidEntries, rowsOf } from './figure-data.ts';
import type { BarPanel, FigureData, FigureEntry, FigureRun, ReportedFigures, ShownRun } from './figure-data.ts';

/** One member ranks the truth above or below itself, which says nothing of a spread. */
const FEWEST_RANKS = 3;

/** What the form of a rank histogram says, in words. */
const SHAPES: Readonly<Record<RankSummary['shape'], string>> = {
  flat: 'flat: truth and members are alike',
  u: 'high at both ends: too little spread',
  dome: 'high in the middle: too much spread',
  low: 'high at low ranks: the members lie above the truth',
  high: 'high at high ranks: the members lie below the truth',
  uneven: 'uneven',
};

interface Counts {
  readonly counts: readonly number[];
  readonly summary: RankSummary;
}

interface MethodRanks extends Counts {
  readonly style: MethodStyle;
  readonly beside: readonly (Counts & { readonly run: OverlaidRun })[];
}

/** @returns undefined of a method without an ensemble */
function countsOf(rows: MethodDiagnostics, { from, to }: FigureRun, variable: string): Counts | undefined {
  const counts = sumRanks(ranksOf(rows, variable, from, to));
  return counts.length < FEWEST_RANKS ? undefined : { counts, summary: summariseRanks(counts) };
}

function ensembles(run: FigureRun, variable: string): readonly MethodRanks[] {
  return run.styles.flatMap((style) => {
    const own = countsOf(rowsOf(run, style), run, variable);
    if (!own) return [];
    const beside = run.shown.overlaid.flatMap((other) => {
      const found = countsOf(other.diagnostics.get(style.label) ?? [], run, variable);
      return found ? [{ ...found, run: other }] : [];
    });
    return [{ ...own, style, beside }];
  });
}

function table(ranks: readonly MethodRanks[]): DataTable {
  const columns = ranks.flatMap(({ style, beside, ...own }) => [
    { title: style.title, ...own },
    ...beside.map(({ run, counts, summary }) => ({ title: `${style.title}, ${run.title}`, counts, summary })),
  ]);
  const most = Math.max(0, ...columns.map(({ counts }) => counts.length));
  return {
    columns: ['rank of the truth', ...columns.flatMap(({ title }) => [`${title}: count`, `${title}: expected`])],
    rows: Array.from({ length: most }, (_, rank) => [
      rank,
      ...columns.flatMap(({ counts, summary }) =>
        rank < counts.length ? [counts[rank], summary.total / counts.length] : [null, null],
      ),
    ]),
  };
}

/** @returns as in `χ² 12, p 0.4: flat: truth and members are alike` */
function shortVerdict({ chiSquare, probability, shape }: RankSummary): string {
  return `χ² ${formatNumber(chiSquare)}, p ${formatProbability(probability)}: ${SHAPES[shape]}`;
}

/** @param between what is before the shape of the histogram */
function verdictOf({ chiSquare, degrees, probability, shape }: RankSummary, between: string): string {
  return `χ² ${formatNumber(chiSquare)} with ${degrees} degrees of freedom, p ${formatProbability(probability)}${between} ${SHAPES[shape]}`;
}

/**
 * The steps of another run's counts over the axes of one: ranks by their share of all, counts by what is expected of each, so that
 * runs with other members and other cycles compare.
 *
 * @param level that is expected of a rank on the axis
 */
export function stepsOf({ counts, summary: { bins } }: Counts, ranks: number, level: number): readonly Bar[] {
  return bins.map(({ from, to, count, expected }) => ({
    from: (from / counts.length) * ranks - 0.5,
    to: ((to + 1) / counts.length) * ranks - 0.5,
    y: expected > 0 ? (count / expected) * level : 0,
  }));
}

type BarWords = Pick<BarPanel, 'name' | 'words' | 'summary'>;

function panelOf(
  { style, counts, summary: { bins }, beside }: MethodRanks,
  { shown: { highlightedRun } }: FigureRun,
  words: BarWords,
): BarPanel {
  const level = bins[0]?.expected ?? 0;
  return {
    kind: 'bars',
    ...words,
    colour: style.colour,
    x: { label: 'Rank of the truth', unit: '', scale: 'linear', domain: [-0.5, counts.length - 0.5], whole: true },
    y: { label: 'Count', unit: '', scale: 'linear', whole: true },
    bars: bins.map(({ from, to, count, expected }) => ({
      from: from - 0.5,
      to: to + 0.5,
      y: count,
      expected,
      title: `${from === to ? `Rank ${from}` : `Ranks ${from} to ${to}`}: ${count}, expected ${formatNumber(expected)}`,
    })),
    level,
    outlines: beside.map((other) => ({
      key: other.run.id,
      title: other.run.title,
      dash: other.run.dash,
      faded: highlightedRun !== undefined && highlightedRun !== other.run.id,
      steps: stepsOf(other, counts.length, level),
    })),
  };
}

function wordsOf({ style, counts, summary, beside }: MethodRanks): BarWords {
  const isSame = (other: Counts): boolean => other.counts.join() === counts.join();
  const compared = beside
    .map((other) => ` ${other.run.title}: ${isSame(other) ? 'the same' : shortVerdict(other.summary)}.`)
    .join('');
  return {
    name: style.title,
    words: `${shortVerdict(summary)}${compared && `.${compared}`}`,
    summary: `Rank histogram of ${style.title}, ${summary.total} ranks. ${verdictOf(summary, ';')}.${compared}`,
  };
}

function inWindow(run: ShownRun, variable: string): FigureData {
  const ranks = ensembles(run, variable);
  const isCompared = ranks.some(({ beside }) => beside.length > 0);
  const isEmpty = ranks.length === 0;
  return {
    title: isEmpty ? 'Rank histogram' : `Rank histogram of ${variable}, cycles ${run.from} to ${run.to}`,
    help: `How often the truth has each rank among the forecast members, every eighth cell that is wet. Equal values are ranked at random. Neighbouring cells and cycles are correlated, so p is too small.${isCompared ? ' Outlines are other runs, their counts as shares of what is expected of them.' : ''}`,
    panels: ranks.map((one) => panelOf(one, run, wordsOf(one))),
    legend: isCompared ? overlaidEntries(run) : [],
    table: () => table(ranks),
    empty: isEmpty
      ? 'Ranks of the truth among the members appear here for methods with an ensemble, after the first cycle.'
      : undefined,
  };
}

function inReport(run: ReportedFigures): readonly FigureData[] {
  return run.variables.flatMap((variable) =>
    ensembles(run, variable).map((one) => {
      const words = `${verdictOf(one.summary, ':')}.`;
      const name = `${one.style.title}, ${variable}`;
      const summary = `Rank histogram of ${name}, ${one.summary.total} ranks. ${words}`;
      return { title: name, help: words, panels: [panelOf(one, run, { name, words, summary })] };
    }),
  );
}

export const RANKS: FigureEntry = {
  id: 'ranks',
  name: 'Rank histogram',
  words: 'talagrand reliability',
  inWindow: (run) => inWindow(run, run.rankedVariable),
  inReport,
};

/** Beside the other figures of the members, of the variable that these are of. */
export const SAMPLED_RANKS: FigureEntry = { id: 'ranks', inWindow: (run) => inWindow(run, run.sampledVariable) };
