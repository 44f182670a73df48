/** How a problem in a scenario is reported: where, what was found, what is allowed, and what may have been meant. */
import { distance } from 'fastest-levenshtein';
import { ScenarioError } from '../errors.ts';
import type { Path, Problem } from '../problem.ts';
import { quote } from '../words.ts';

export { describeProblem, formatPath, parsePath, type Path, type Problem } from '../problem.ts';
export { quote } from '../words.ts';

/** A place in a text, both numbers from 1. */
export type TextPlace = Required<Pick<Problem, 'line' | 'column'>>;

/** Where a problem is in the text of the file; nowhere if there is no text. */
export type Locate = (problem: Problem) => TextPlace | undefined;

/** @returns problems of a part of the scenario as problems of the whole. @param path of the part */
export function within(path: Path, problems: readonly Problem[]): Problem[] {
  return problems.map((problem) => ({ ...problem, path: [...path, ...problem.path] }));
}

/** More problems than anybody would read are counted, not listed. */
const MAXIMUM_PROBLEMS = 50;
/** Nothing is suggested for longer words. */
const MAXIMUM_WORD = 64;

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

/** @returns the candidate that is spelled nearest, or undefined if none is near */
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

/** @returns the error that lists these problems of a file, the first of them if there are very many */
export function scenarioError(
  problems: readonly Problem[],
  file: string,
  locate: Locate = () => undefined,
): ScenarioError {
  const told = problems
    .slice(0, MAXIMUM_PROBLEMS)
    .map((problem): Problem => ({ ...problem, file, ...locate(problem) }));
  const more = problems.length - told.length;
  if (more > 0) told.push({ file, path: [], message: `${more} more ${more === 1 ? 'problem' : 'problems'}` });
  return new ScenarioError(told);
}
