/** The benchmark's result: the analysis errors of several seeds beside the published one. */
import { BAR, isWithin } from '../../../engine/check/lorenz-96.ts';
import type { BenchmarkCase } from '../../../engine/check/lorenz-96.ts';
import { median } from '../../../engine/index.ts';

export { analysisErrors, BAR, FULL, isWithin, SHORT, SHORT_BAR } from '../../../engine/check/lorenz-96.ts';

export const TABLE_HEADER = ['| method | published | median RMSE | range | |', '|---|---|---|---|---|'];

/** The errors of one case as a row of a Markdown table. */
export function tableRow({ name, published, isOwn }: BenchmarkCase, errors: readonly number[]): string {
  const middle = median(errors);
  const [least, most] = [Math.min(...errors), Math.max(...errors)].map((error) => error.toFixed(3));
  const verdict = isWithin(BAR, published, middle) ? 'pass' : 'FAIL';
  return `| ${name} | ${isOwn ? '–' : published.toFixed(2)} | ${middle.toFixed(3)} | ${least} to ${most} | ${verdict} |`;
}
