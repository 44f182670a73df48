/** `--parameter` as it is typed: `inflation`, `inflation=1.02,1.05,1.1`, `inflation=1.02:1.4:5`. */
import { shown } from '../../../engine/index.ts';
import type { ParameterRequest } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

const MOST_COUNT = 100;

function wrong(text: string, why: string): UsageError {
  return new UsageError(
    `--parameter ${shown(text)}: ${why}; write path, path=1,2,4 or path=from:to:count, for example inflation=1.02:1.4:5`,
  );
}

function numbersOf(text: string, written: string, separator: string): number[] {
  return written.split(separator).map((part) => {
    const value = Number(part);
    if (part.trim() === '' || !Number.isFinite(value))
      throw wrong(text, `found ${JSON.stringify(part)}, allowed: a number`);
    return value;
  });
}

/** @throws UsageError */
export function parseParameter(text: string): ParameterRequest {
  const equals = text.indexOf('=');
  if (equals < 0) return { name: text };
  const [name, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (name === '') throw wrong(text, 'the path is empty');
  if (!written.includes(':')) return { name, values: numbersOf(text, written, ',') };
  const [from, to, count, ...more] = numbersOf(text, written, ':');
  if (count === undefined || more.length > 0) throw wrong(text, 'a range has three parts');
  if (!Number.isInteger(count) || count < 2 || count > MOST_COUNT)
    throw wrong(text, `found ${count} values, allowed: a whole number from 2 to ${MOST_COUNT}`);
  if (from >= to) throw wrong(text, `found a range from ${from} to ${to}, allowed: from the smaller to the larger`);
  return { name, range: { from, to, count } };
}
