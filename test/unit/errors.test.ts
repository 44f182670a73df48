import { describe, expect, it } from 'vitest';
import { describeProblem, formatPath, parsePath, type Path, type Problem } from '../../engine/errors.ts';

describe('a path', () => {
  it.each<[Path, string]>([
    [[], ''],
    [['grid', 'nx'], 'grid.nx'],
    [['methods', 1, 'covariance', 'length'], 'methods[1].covariance.length'],
    [['expected', 'results', '3dvar, wide'], 'expected.results["3dvar, wide"]'],
    [['expected', 'a'.repeat(65)], `expected["${'a'.repeat(65)}"]`],
  ])('%j is written as %s', (path, text) => {
    expect(formatPath(path)).toBe(text);
  });
});

describe('a path that is read', () => {
  it.each<[string, Path | undefined]>([
    ['methods[1].covariance.length', ['methods', 1, 'covariance', 'length']],
    ['expected["3dvar, wide"].forecast', ['expected', '3dvar, wide', 'forecast']],
    ['', []],
    ['not a path', undefined],
  ])('%j', (text, path) => {
    expect(parsePath(text)).toEqual(path);
  });
});

describe('a problem on one line', () => {
  it.each<[string, Problem, string]>([
    [
      'names file, line, column and path',
      { file: 'a b.json', line: 12, column: 7, path: ['methods', 1, 'inflation'], message: 'found 0' },
      'a b.json:12:7: methods[1].inflation: found 0',
    ],
    [
      'has the line alone where no column is known',
      { file: 'k.ndjson', line: 3, path: [], message: 'x' },
      'k.ndjson:3: x',
    ],
    ['omits what is not known', { path: ['grid'], message: 'too large' }, 'grid: too large'],
    ['is the message where it concerns the whole', { path: [], message: 'too large' }, 'too large'],
    ['shows a name that cannot be seen', { file: 'a\u202e.json', path: [], message: 'x' }, 'a\\u{202e}.json: x'],
    ['shows an empty name', { file: '', path: [], message: 'x' }, "'': x"],
  ])('%s', (_name, problem, line) => {
    expect(describeProblem(problem)).toBe(line);
  });
});
