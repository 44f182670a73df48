/** How a problem in a scenario is told: where, what was found, what is allowed, and what may have been meant. */
import { distance } from 'fastest-levenshtein';
import { ScenarioError } from '../errors.ts';
import { quote, shown } from '../words.ts';

export { quote } from '../words.ts';

/** Keys and list indices from the root of the file to a value. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly path: Path;
  /** What was found and what is allowed, on one line. */
  readonly message: string;
  /** The problem is the last key of the path itself, not its value. */
  readonly atKey?: boolean;
}

/** @returns problems of a part of the scenario as problems of the whole. @param path of the part */
export function within(path: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** Where a path stands in the text of the file, as `line:column`; empty where there is no text. */
export type Locate = (problem: Problem) => string;

/** More problems than a person would read are counted, not listed. */
const MAXIMUM_PROBLEMS = 50;
/** Nothing is suggested for longer words. */
const MAXIMUM_WORD = 64;

/** @returns the path as it is written after `--set`, for example `methods[1].covariance.length` */
export function formatPath(path: Path): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else if (!/^[$\w]+$/.test(part) || part.length > MAXIMUM_WORD) text += `[${quote(part)}]`;
    else text += text === '' ? part : `.${part}`;
  }
  return text;
}

/** @returns the keys of a path that is written so, or undefined for what is not a path; of the empty text none */
export function parsePath(text: string): Path | undefined {
  const keys: (string | number)[] = [];
  const token = /(?:^|\.)([$\w-]+)|\[(\d{1,9})\]|\[("(?:[^"\\]|\\.)*")\]/gy;
  while (token.lastIndex < text.length) {
    const match = token.exec(text);
    if (match === null) return undefined;
    const [, name, index, quoted] = match;
    keys.push(index === undefined ? (name ?? quoted.slice(1, -1)) : Number(index));
  }
  return keys;
}

/** @returns a value in a few words */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return quote(value);
  if (Array.isArray(value)) {
    const short = value.length <= 4 && value.every((entry) => typeof entry === 'number');
    return short ? `[${value.join(', ')}]` : `a list of ${value.length}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** @returns words as they are listed in a sentence: `"a", "b" or "c"` */
export function listWords(words: readonly string[], conjunction = 'or'): string {
  if (words.length <= 1) return words.join('');
  return `${words.slice(0, -1).join(', ')} ${conjunction} ${words[words.length - 1]}`;
}

/** @returns the candidate that is spelled nearest, or undefined where none is near */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > MAXIMUM_WORD) return undefined;
  const allowed = Math.max(2, Math.ceil(word.length / 3));
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const candidate of candidates) {
    const d = distance(word.toLowerCase(), candidate.toLowerCase());
    if (d < bestDistance) {
      best = candidate;
      bestDistance = d;
    }
  }
  const completed = word.length >= 3 ? candidates.filter((candidate) => candidate.startsWith(word)) : [];
  return best ?? completed[0];
}

/** @returns `; did you mean "…"?`, or nothing where no candidate is near */
export function suggestion(word: unknown, candidates: readonly string[]): string {
  const near = typeof word === 'string' ? nearest(word, candidates) : undefined;
  return near === undefined ? '' : `; did you mean "${near}"?`;
}

/** @returns the error that tells these problems, one line each */
export function scenarioError(problems: readonly Problem[], file: string, locate: Locate = () => ''): ScenarioError {
  const name = shown(file);
  const lines = problems.slice(0, MAXIMUM_PROBLEMS).map((problem) => {
    const position = locate(problem);
    const path = formatPath(problem.path);
    return `${name}${position === '' ? '' : `:${position}`}: ${path === '' ? '' : `${path}: `}${problem.message}`;
  });
  const more = problems.length - lines.length;
  if (more > 0) lines.push(`${name}: ${more} more ${more === 1 ? 'problem' : 'problems'}`);
  return new ScenarioError(lines);
}
