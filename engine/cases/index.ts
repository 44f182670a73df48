/**
 * Operator cases: a folder with parameters, input arrays and, where they are known, expected arrays. One file an operator
 * says how they become its fields.
 */
import type { Backend } from '../compute/backend.ts';
import { CaseError } from '../errors.ts';
import { assertShape } from './case-arrays.ts';
import type { CaseArray } from './case-arrays.ts';
import type { CaseOperator, CaseOutput, CaseProgress } from './case-operator.ts';
import { convolutionCase } from './convolution.ts';
import { gainCovarianceCase } from './gain-covariance.ts';
import { letkfCase } from './letkf.ts';
import { readCase } from './read-case.ts';
import type { ReadCaseFile } from './read-case.ts';
import { shown } from '../words.ts';
import { recursiveFilterCase } from './recursive-filter.ts';
import { shallowWaterCase } from './shallow-water.ts';
import { variationalCase } from './variational.ts';

export type { ReadCaseFile } from './read-case.ts';

const OPERATORS: readonly CaseOperator[] = [
  recursiveFilterCase,
  convolutionCase,
  shallowWaterCase,
  variationalCase,
  letkfCase,
  gainCovarianceCase,
];

export interface CaseResult {
  readonly operator: string;
  readonly outputs: Readonly<Record<string, CaseOutput>>;
  /** max|a − b| / max(1, max|b|) against each expected array, by its name; NaN where the output is not a number. */
  readonly errors: Readonly<Record<string, number>>;
  /** What the case allows on this backend. */
  readonly tolerance: number | undefined;
  /** The first number of an output that is not finite, in words: the case then fails, whatever is expected of it. */
  readonly notFinite: string | undefined;
  /** Whether all is finite and every error within the tolerance; undefined if nothing is held against it. */
  readonly passed: boolean | undefined;
}

/** @returns max|a − b| / max(1, max|b|), or NaN as soon as `actual` has one */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let worst = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    if (Number.isNaN(difference)) return NaN;
    worst = Math.max(worst, difference);
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return worst / scale;
}

function compare(output: CaseOutput, expected: CaseArray): number {
  assertShape(expected, output.shape, 'that of the result');
  return relativeError(output.data, expected.data);
}

/** @returns `volume: element 3 is Infinity` */
function firstNotFinite(outputs: Readonly<Record<string, CaseOutput>>): string | undefined {
  for (const [name, { data }] of Object.entries(outputs)) {
    const index = data.findIndex((value) => !Number.isFinite(value));
    if (index >= 0) return `${name}: element ${index} is ${data[index]}`;
  }
  return undefined;
}

/**
 * Reads and runs one case.
 * @param folder what to call the folder in an error
 * @param progress takes how far a case of many steps is
 * @throws CaseError when the case is not well formed; DivergenceError when a forecast of it goes wrong
 */
export async function runCase(
  backend: Backend,
  folder: string,
  readFile: ReadCaseFile,
  progress: CaseProgress = () => undefined,
): Promise<CaseResult> {
  const { operator, parameters, inputs, expected, tolerance } = await readCase(folder, readFile, OPERATORS);
  const outputs = await operator.run(backend, parameters, inputs, progress).catch((error: unknown) => {
    const named = error instanceof CaseError && !error.message.startsWith(shown(folder));
    throw named ? new CaseError(`${shown(`${folder}/case.json`)}: ${error.message}`) : error;
  });
  const errors = Object.fromEntries(
    Object.entries(expected).map(([name, array]) => [name, compare(outputs[name], array)]),
  );
  const allowed = tolerance?.[backend.precision];
  const notFinite = firstNotFinite(outputs);
  const within = Object.values(errors).every((error) => allowed !== undefined && error <= allowed);
  const judged = allowed !== undefined && Object.keys(errors).length > 0;
  return {
    operator: operator.name,
    outputs,
    errors,
    tolerance: allowed,
    notFinite,
    passed: notFinite !== undefined ? false : judged ? within : undefined,
  };
}
