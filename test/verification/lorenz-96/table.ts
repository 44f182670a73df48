/** The benchmark's result: the analysis errors of several seeds beside the published one. */
import { median } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import type { BenchmarkCase } from './cases.ts';
import { analysisError } from './twin-experiment.ts';

export const TABLE_HEADER = ['| method | published | median RMSE | range | |', '|---|---|---|---|---|'];

/** Share of the published error by which the median may miss it. */
export const BAR = 0.05;

/** How long each twin experiment is, and how many of them there are. */
export interface Extent {
  readonly seeds: number;
  readonly spinup: number;
  readonly cycles: number;
}

/** Of the published table. */
export const FULL: Extent = { seeds: 10, spinup: 400, cycles: 1000 };

/** @returns the mean analysis error of each seed: 1, 2, … */
export async function analysisErrors(
  backend: Backend,
  { members, create }: BenchmarkCase,
  { seeds, spinup, cycles }: Extent,
): Promise<number[]> {
  const errors: number[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    errors.push(await analysisError(backend, { members, create, seed, spinup, cycles }));
  }
  return errors;
}

/** False also for NaN. @param bar share of the published error */
export function isWithin(bar: number, published: number, error: number): boolean {
  return Math.abs(error - published) <= bar * published;
}

/** The errors of one case as a row of a Markdown table. */
export function tableRow({ name, published }: BenchmarkCase, errors: readonly number[]): string {
  const middle = median(errors);
  const [least, most] = [Math.min(...errors), Math.max(...errors)].map((error) => error.toFixed(3));
  const verdict = isWithin(BAR, published, middle) ? 'pass' : 'FAIL';
  return `| ${name} | ${published.toFixed(2)} | ${middle.toFixed(3)} | ${least} to ${most} | ${verdict} |`;
}
