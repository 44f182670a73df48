/** A problem as files: what a suite of test/bench/python and a program of test/bench/native read. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatNpy } from '../../../engine/index.ts';
import type { BenchmarkProblem } from '../../../engine/index.ts';

/** A typed array would be written as an object. */
function asList(_: string, value: unknown): unknown {
  return value instanceof Float64Array ? Array.from(value) : value;
}

/** @param expected what the reference backend makes of the problem */
export function writeProblem(
  folder: string,
  { operator, parameters, inputs, output }: BenchmarkProblem,
  expected: Float64Array,
): void {
  mkdirSync(folder, { recursive: true });
  const write = (name: string, values: ArrayLike<number>): void =>
    writeFileSync(join(folder, `${name}.npy`), formatNpy([values.length], values));
  for (const [name, values] of Object.entries(inputs)) write(name, values);
  write('expected', expected);
  const described = { operator, parameters, inputs: Object.keys(inputs), output };
  writeFileSync(join(folder, 'problem.json'), JSON.stringify(described, asList));
}
