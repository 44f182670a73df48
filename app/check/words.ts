/** What is said of a check, wherever it is shown. */
import type { CheckDocument } from '../../engine/index.ts';

export const VERDICTS = {
  passed: { sign: '✓', word: 'holds' },
  failed: { sign: '✗', word: 'fails' },
  'not-applicable': { sign: '–', word: 'not applicable' },
} as const;

/** `All checks passed on wasm`. */
export function headlineOf({ passed, results, cases, backend }: CheckDocument): string {
  const failed = results.filter(({ verdict }) => verdict === 'failed').length;
  if (passed) return `All checks passed on ${backend.name}`;
  if (failed > 0) return `${failed} of ${cases} checks fail on ${backend.name}`;
  return `Stopped after ${results.length} of ${cases} checks on ${backend.name}`;
}
