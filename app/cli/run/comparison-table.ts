/** The table of differences beneath that of the results: which of them are more than chance. */
import Table from 'cli-table3';
import { describeAgainst } from '../../../engine/index.ts';
import type { CycleComparison, MethodComparison, MethodComparisons, Reference } from '../../../engine/index.ts';

export type Over = 'cycles' | 'seeds';

/** What the differences are of, and over what; one run says nothing of another seed. */
function caption(compared: readonly string[], over: Over, count: number): string {
  const variables = compared.length === 1 ? compared[0] : `${compared.join(' and ')}, their geometric mean`;
  const error = `RMSE of the analysis of ${variables}`;
  return over === 'cycles'
    ? `${error}, over ${count} cycles (block bootstrap). One run is one seed: another one may come out otherwise.`
    : `${error}, median of the differences seed by seed (exact interval), over ${count} seeds.`;
}

const HEADS: Readonly<Record<Reference, (least: string) => string>> = {
  least: (least) => `against ${least}`,
  'free-run': () => 'against the free run',
  first: () => 'against the same in [1]',
};

/**
 * @param compared names of the variables by which the methods are compared
 * @returns a row for each method that is held against another, and what the numbers are; empty where there is none
 */
export function formatComparisons(
  { least, pairs }: MethodComparisons,
  compared: readonly string[],
  over: Over,
): string {
  if (least === undefined || pairs.length === 0) return '';
  const references = (['least', 'first', 'free-run'] as const).filter((reference) =>
    // Where the free run has the least error, one column says it.
    pairs.some((pair) => pair.reference === reference && (reference === 'least' || pair.against !== least)),
  );
  const table = new Table({
    head: ['method', ...references.map((reference) => HEADS[reference](least))],
    style: { head: [], border: [] },
  });
  for (const method of new Set(pairs.map((pair) => pair.method))) {
    const cells = references.map((reference) => {
      const pair = pairs.find((each) => each.method === method && each.reference === reference);
      return pair === undefined ? '' : describeAgainst(pair.comparison, over);
    });
    table.push([method, ...cells]);
  }
  const count = Math.max(...pairs.map(({ comparison }) => countOf(comparison)));
  return `${table.toString()}\n${caption(compared, over, count)}`;
}

function countOf(comparison: MethodComparison['comparison']): number {
  if (comparison === undefined) return 0;
  return 'cycles' in comparison ? (comparison as CycleComparison).cycles : comparison.pairs;
}

/** @returns the same for a document: each difference with its words */
export function inWords({ least, pairs }: MethodComparisons, over: Over) {
  return {
    over,
    least: least ?? null,
    pairs: pairs.map(({ method, reference, against, comparison }) => ({
      method,
      reference,
      against,
      ...(comparison ?? { verdict: 'too-few' }),
      words: describeAgainst(comparison, over),
    })),
  };
}
