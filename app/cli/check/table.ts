/** What a check found, for a terminal. */
import Table from 'cli-table3';
import { shareOfBar, shownBar, shownNumber } from '../../../engine/index.ts';
import type { CheckResult, Evidence } from '../../../engine/index.ts';

const SIGNS = { passed: '✓', failed: '✗', 'not-applicable': '–' } as const;

/** The number that is nearest to its bar, or farthest beyond it; a guard only where it fails. */
function nearestToItsBar(evidence: readonly Evidence[]): Evidence | undefined {
  return evidence
    .filter(({ guard, passed }) => !guard || !passed)
    .reduce<Evidence | undefined>(
      (nearest, each) => (!nearest || shareOfBar(each) > shareOfBar(nearest) ? each : nearest),
      undefined,
    );
}

/** One row a case. */
export function formatCheck(results: readonly CheckResult[]): string {
  const table = new Table({
    head: ['', 'check', 'numbers', 'the one nearest to its bar', 'found', 'bar', 's'],
    colAligns: ['left', 'left', 'right', 'left', 'right', 'left', 'right'],
    colWidths: [null, 34, null, 42, null, null, null],
    wordWrap: true,
    style: { head: [], border: [] },
  });
  for (const { verdict, title, evidence, reason, seconds } of results) {
    const nearest = nearestToItsBar(evidence);
    table.push([
      SIGNS[verdict],
      title,
      evidence.length,
      nearest?.what ?? reason ?? '',
      nearest ? shownNumber(nearest.value) : '',
      nearest ? shownBar(nearest.bar) : '',
      seconds.toFixed(1),
    ]);
  }
  return table.toString();
}

/** Every number of a case with its bar, and where the bars come from. */
export function describeResult({ verdict, title, claim, basis, reason, evidence }: CheckResult): string[] {
  return [
    `${SIGNS[verdict]} ${title}`,
    `  ${claim}`,
    ...(reason === undefined ? [] : [`  ${reason}`]),
    ...evidence.map(
      (each) => `  ${each.passed ? '✓' : '✗'} ${each.what}: ${shownNumber(each.value)}, bar ${shownBar(each.bar)}`,
    ),
    `  bars: ${basis}`,
  ];
}
