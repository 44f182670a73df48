/** The table of differences below that of the results: what happened in one run, or which methods are better over seeds. */
import Table from 'cli-table3';
import { describeAgainst, describeInRun, explainInRun } from '../../../engine/index.ts';
import type {
  ComparedMethods,
  CycleDifference,
  MethodComparisons,
  PairedComparison,
  Reference,
} from '../../../engine/index.ts';

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
  const table = new Table({
    head: ['method', ...references.map((reference) => HEADS[reference](least))],
    style: { head: [], border: [] },
  });
  for (const method of new Set(rows.map((row) => row.method))) {
    const own = rows.filter((row) => row.method === method);
    table.push([method, ...references.map((each) => own.find(({ reference }) => reference === each)?.words ?? '')]);
  }
  return table.toString();
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
