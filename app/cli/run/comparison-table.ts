/** The table of differences below that of the results: what happened in one run, or which methods are better over seeds. */
import { formatTable } from '../table.ts';
import { describeAgainst, describeInRun, explainInRun, nameWithUnit } from '../../../engine/index.ts';
import type {
  ComparedMethods,
  CycleDifference,
  MethodComparisons,
  PairedComparison,
  Reference,
  MethodResult,
  RunSummary,
} from '../../../engine/index.ts';

const ABSENT = '–';
/** A number without a power of ten. */
const PLAIN = /^-?\d+(\.\d+)?$/;

/** Three significant digits, which is more than a seed's difference leaves certain. */
export function digits(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return ABSENT;
  if (value === 0) return '0';
  const size = Math.abs(value);
  if (size < 1e-4 || size >= 1e5) return value.toExponential(2);
  const text = value.toPrecision(3);
  return text.includes('e') ? value.toFixed(0) : text;
}

/** @returns the numbers of a column with their decimal points below each other, if the column is aligned to the right */
function inColumn(values: readonly (number | undefined)[]): readonly string[] {
  const texts = values.map(digits);
  const after = texts.map((text) => (/^-?\d+\.\d+$/.test(text) ? text.length - text.indexOf('.') : 0));
  const most = Math.max(0, ...after);
  return texts.map((text, row) => (PLAIN.test(text) ? text + ' '.repeat(most - after[row]) : text));
}

function percent(share: number | null): string {
  return share === null ? ABSENT : `${(100 * share).toFixed(1)} %`;
}

const ABOUT_PATTERN =
  "Level: error of the basin's mean; pattern: the rest. Water is added to the truth without the members' knowing, so the skill of the pattern comes first.";

/** Level and pattern of the analysis' error, if they are shown. */
function splitOf(variable: string, headline: RunSummary['headline']) {
  if (headline === 'total') return [];
  const name = nameWithUnit(variable);
  return [
    { head: `of it level\n${name}`, of: ({ rmseLevel }: MethodResult) => rmseLevel.analysis[variable] },
    { head: `of it pattern\n${name}`, of: ({ rmsePattern }: MethodResult) => rmsePattern.analysis[variable] },
  ];
}

function time({ rmse, milliseconds }: MethodResult): number | undefined {
  const isCounted = Object.keys(rmse.analysis).length > 0;
  return isCounted ? milliseconds.forecast + milliseconds.analysis : undefined;
}

/**
 * @param compared names of the variables by which the methods are compared
 * @param diverged by label, the cycle in which a method did so: its means are of the cycles before
 * @param headline the error whose skill comes first: `pattern` if water is added to the truth alone
 * @returns RMSE and spread of each compared variable, skill against the free run, and time; one row a method
 */
export function formatResults(
  results: readonly MethodResult[],
  compared: readonly string[],
  diverged: ReadonlyMap<string, number> = new Map(),
  headline: RunSummary['headline'] = 'total',
): string {
  const measures = compared.flatMap((variable) => [
    { head: `RMSE forecast\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.forecast[variable] },
    { head: `RMSE analysis\n${nameWithUnit(variable)}`, of: ({ rmse }: MethodResult) => rmse.analysis[variable] },
    ...splitOf(variable, headline),
    { head: `spread\n${nameWithUnit(variable)}`, of: ({ spread }: MethodResult) => spread.analysis[variable] },
  ]);
  const columns = measures.map(({ head, of }) => ({ head, texts: inColumn(results.map(of)) }));
  // Means over other cycles than the free run's cannot be compared with it.
  const skillsOf = (quantity: 'skill' | 'skillPattern'): string[] =>
    results.map(({ method, ...result }) => (diverged.has(method) ? ABSENT : percent(result[quantity])));
  const skills =
    headline === 'total'
      ? [{ head: 'skill', texts: skillsOf('skill') }]
      : [
          { head: 'skill of\nthe pattern', texts: skillsOf('skillPattern') },
          { head: 'skill with\nthe level', texts: skillsOf('skill') },
        ];
  const all = [...columns, ...skills, { head: 'ms per cycle', texts: inColumn(results.map(time)) }];
  const nameOf = (method: string): string =>
    diverged.has(method) ? `${method}\ndiverged in cycle ${diverged.get(method)}` : method;
  const table = formatTable(
    ['method', ...all.map(({ head }) => head)],
    results.map(({ method }, row) => [nameOf(method), ...all.map(({ texts }) => texts[row])]),
    { align: 'lr' },
  );
  return headline === 'total' ? table : `${table}\n${ABOUT_PATTERN}`;
}

/** What is compared. */
function errorWords(compared: readonly string[]): string {
  const variables = compared.length === 1 ? compared[0] : `${compared.join(' and ')}, their geometric mean`;
  return `RMSE of the analysis of ${variables}`;
}

/** What the numbers are of a run, why they name no winner, and how to get one. */
function cyclesCaption(error: string, cycles: number, command: string | undefined): string {
  const lines = [
    `Ratio of the errors (${error}); in brackets the 95 % interval over the ${cycles} cycles of this run, if it is of use.`,
    'This run is one seed, and other seeds may differ: even equal methods differ for a whole run. No winner is named.',
  ];
  const conclusion = 'To find out which method is better, compare them over seeds';
  return [...lines, command === undefined ? `${conclusion}.` : `${conclusion}: ${command}`].join('\n');
}

function seedsCaption(error: string, seeds: number): string {
  return [
    `Change of the error (${error}): median of the differences seed by seed over ${seeds} seeds, with its exact interval.`,
    'A method is named better or worse if a sign test over the seeds says so, corrected for all pairs of methods (Holm, 5 %).',
  ].join('\n');
}

const HEADS: Readonly<Record<Reference, (least: string) => string>> = {
  least: (least) => `against ${least}`,
  'free-run': () => 'against the free run',
  first: () => 'against the same in [1]',
};

interface Row {
  readonly method: string;
  readonly reference: Reference;
  readonly against: string;
  readonly words: string;
}

function rowsOf({ over, comparisons }: ComparedMethods): readonly Row[] {
  return over === 'cycles'
    ? comparisons.pairs.map(({ comparison, ...pair }) => ({ ...pair, words: describeInRun(comparison) }))
    : comparisons.pairs.map(({ comparison, ...pair }) => ({ ...pair, words: describeAgainst(comparison) }));
}

/** Cycles or seeds of the longest comparison. */
function countOf({ over, comparisons }: ComparedMethods): number {
  const counts =
    over === 'cycles'
      ? comparisons.pairs.map(({ comparison }) => comparison?.cycles ?? 0)
      : comparisons.pairs.map(({ comparison }) => comparison?.pairs ?? 0);
  return Math.max(...counts);
}

function tableOf(least: string, rows: readonly Row[]): string {
  const references = (['least', 'first', 'free-run'] as const).filter((reference) =>
    // If the free run has the least error, one column says it.
    rows.some((row) => row.reference === reference && (reference === 'least' || row.against !== least)),
  );
  const wordsOf = (method: string, reference: Row['reference']): string =>
    rows.find((row) => row.method === method && row.reference === reference)?.words ?? '';
  return formatTable(
    ['method', ...references.map((reference) => HEADS[reference](least))],
    [...new Set(rows.map(({ method }) => method))].map((method) => [
      method,
      ...references.map((reference) => wordsOf(method, reference)),
    ]),
  );
}

/**
 * @param compared names of the variables by which the methods are compared
 * @param command that compares the methods of a single run over seeds
 * @returns a row for each method that is compared with another, and what the numbers are; empty without any
 */
export function formatComparisons(found: ComparedMethods, compared: readonly string[], command?: string): string {
  const { least } = found.comparisons;
  const rows = rowsOf(found);
  if (least === undefined || rows.length === 0) return '';
  const [error, count] = [errorWords(compared), countOf(found)];
  const caption = found.over === 'cycles' ? cyclesCaption(error, count, command) : seedsCaption(error, count);
  return `${tableOf(least, rows)}\n${caption}`;
}

const VERDICTS = { a: 'better', b: 'worse', undecided: 'undecided', 'too-few': 'too-few' } as const;

function seedPairs({ pairs }: MethodComparisons<PairedComparison>) {
  return pairs.map(({ comparison, ...pair }) => {
    const words = describeAgainst(comparison);
    return { ...pair, ...comparison, verdict: VERDICTS[comparison?.verdict ?? 'too-few'], words };
  });
}

/** Gives no verdict: one run has none. */
function cyclePairs({ pairs }: MethodComparisons<CycleDifference>) {
  return pairs.map(({ comparison, ...pair }) => {
    const { scale, estimate = 0, low = 0, high = 0 } = comparison?.change ?? {};
    const ratio = scale === 'relative' && { estimate: 1 + estimate, low: 1 + low, high: 1 + high };
    return { ...pair, ...comparison, ...(ratio && { ratio }), words: explainInRun(comparison, pair.against) };
  });
}

/** @returns the same for a document: each difference with its words, and over seeds its verdict on `method` */
export function inWords(found: ComparedMethods) {
  return {
    over: found.over,
    least: found.comparisons.least ?? null,
    pairs: found.over === 'cycles' ? cyclePairs(found.comparisons) : seedPairs(found.comparisons),
  };
}
