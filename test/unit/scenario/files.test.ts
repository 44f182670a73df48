/** The files beside a scenario: where they may be, what shape they have, and what their numbers may be. */
import { describe, expect, test } from 'vitest';
import { ScenarioError, describeProblem } from '../../../engine/errors.ts';
import { formatNpy } from '../../../engine/files/array-files.ts';
import { NO_FILES, fileReferences, readScenarioFiles } from '../../../engine/scenario/index.ts';
import type { ReadFile, Scenario, ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed, problemsWith } from './problems-of.ts';

const [nx, ny, members] = [16, 12, 3];
const cells = nx * ny;

function folder(files: Readonly<Record<string, Uint8Array | string>>): ReadFile {
  return (name) => {
    const found = files[name];
    if (found === undefined) return Promise.reject(Object.assign(new Error(`ENOENT: ${name}`), { code: 'ENOENT' }));
    return Promise.resolve(typeof found === 'string' ? new TextEncoder().encode(found) : found);
  };
}

async function problems(
  scenario: Scenario,
  files: Readonly<Record<string, Uint8Array | string>>,
): Promise<readonly string[]> {
  try {
    await readScenarioFiles(scenario, folder(files), 'case.json', undefined);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map(describeProblem);
    throw error;
  }
}

const withBed = (file = 'bed.npy'): Scenario => parsed({ model: { bathymetry: { kind: 'file', file } } });
const withBackground = (): Scenario => parsed({ background: { initial: { kind: 'file', file: 'b.npy' }, members } });
const withTruth = (scheme: 'lax-wendroff' | 'central-upwind'): Scenario =>
  parsed({ model: { scheme }, truth: { initial: { kind: 'file', file: 't.npy' } } });
const withTable = (): Scenario => parsed({ observations: [{ network: { kind: 'file', file: 'o.csv' } }] });
const filled = (length: number, value = 1): Float64Array => new Float64Array(length).fill(value);

test('all files that a scenario refers to are read', async () => {
  const changes: Partial<ScenarioInput> = {
    model: { bathymetry: { kind: 'file', file: 'bed.npy' } },
    truth: { initial: { kind: 'file', file: 'states/t.npy' } },
    background: { initial: { kind: 'file', file: 'states/b.npy' }, members },
    observations: [{ name: 'a' }, { name: 'b', network: { kind: 'file', file: 'o.csv' } }],
  };
  const scenario = parsed(changes);
  expect(fileReferences(scenario).map(({ file, role }) => [file, role])).toEqual([
    ['bed.npy', 'bathymetry'],
    ['states/t.npy', 'truth'],
    ['states/b.npy', 'background'],
    ['o.csv', 'network'],
  ]);
  const read = folder({
    'bed.npy': formatNpy([ny, nx], filled(cells, -2)),
    'states/t.npy': formatNpy([3, ny, nx], filled(3 * cells)),
    'states/b.npy': formatNpy([members, 3, ny, nx], filled(members * 3 * cells)),
    'o.csv': '\uFEFFtime, x,y,value\n1,0,33,0.5\n\n40,30,1.5,\n',
  });
  const files = await readScenarioFiles(scenario, read, 'case.json', undefined);
  expect(files.array('bed.npy').data).toEqual(filled(cells, -2));
  expect(files.array('states/b.npy').shape).toEqual([members, 3, ny, nx]);
  expect(files.table('o.csv')).toEqual({
    count: 2,
    time: Float64Array.of(1, 40),
    x: Float64Array.of(0, 30),
    y: Float64Array.of(33, 1.5),
    value: Float64Array.of(0.5, Number.NaN),
  });
  expect(() => files.array('other.npy')).toThrow(RangeError);
  expect(() => NO_FILES.table('o.csv')).toThrow(RangeError);
});

describe('an array', () => {
  test.each<[string, Scenario, Record<string, Uint8Array>, string]>([
    [
      'is missing',
      withBed(),
      {},
      "model.bathymetry.file: bed.npy cannot be read: there is no such file in the scenario's folder",
    ],
    [
      'is no array',
      withBed(),
      { 'bed.npy': Uint8Array.of(1, 2, 3) },
      'model.bathymetry.file: bed.npy: not a .npy file (its first bytes are not \\x93NUMPY)',
    ],
    [
      'is transposed',
      withBed(),
      { 'bed.npy': formatNpy([nx, ny], filled(cells)) },
      'model.bathymetry.file: bed.npy: found an array of shape [16, 12], allowed: [12, 16]',
    ],
    [
      'is flat',
      withBed(),
      { 'bed.npy': formatNpy([cells], filled(cells)) },
      'model.bathymetry.file: bed.npy: found an array of shape [192], allowed: [12, 16]',
    ],
    [
      'has NaN in it',
      withBed(),
      { 'bed.npy': formatNpy([ny, nx], filled(cells).fill(Number.NaN, 17, 18)) },
      'model.bathymetry.file: bed.npy: found NaN at [1, 1], allowed: finite numbers',
    ],
    [
      'has a variable too few',
      withTruth('central-upwind'),
      { 't.npy': formatNpy([2, ny, nx], filled(2 * cells)) },
      'truth.initial.file: t.npy: found an array of shape [2, 12, 16], allowed: [3, 12, 16]',
    ],
    [
      'has a negative depth',
      withTruth('central-upwind'),
      { 't.npy': formatNpy([3, ny, nx], filled(3 * cells).fill(-1, 1, 2)) },
      'truth.initial.file: t.npy: found a depth of -1 m at [0, 0, 1], allowed: at least 0',
    ],
    [
      'is dry under Lax–Wendroff',
      withTruth('lax-wendroff'),
      { 't.npy': formatNpy([3, ny, nx], filled(3 * cells).fill(0, 1, 2)) },
      'truth.initial.file: t.npy: found a depth of 0 m at [0, 0, 1], allowed: above 0',
    ],
    [
      'has a member too many',
      withBackground(),
      { 'b.npy': formatNpy([4, 3, ny, nx], filled(12 * cells)) },
      'background.initial.file: b.npy: found an array of shape [4, 3, 12, 16], allowed: [3, 12, 16] or [3, 3, 12, 16]',
    ],
  ])('that %s', async (_name, scenario, files, problem) => {
    expect(await problems(scenario, files)).toEqual([`case.json: ${problem}`]);
  });

  test('may be dry under central-upwind, and have momenta of any sign', async () => {
    const state = filled(3 * cells, -1).fill(0, 0, cells);
    expect(await problems(withTruth('central-upwind'), { 't.npy': formatNpy([3, ny, nx], state) })).toEqual([]);
  });
});

describe('a table', () => {
  test.each([
    ['', 'the file is empty; its first line is "x,y,time" or "x,y,time,value"'],
    ['x,y,time\n', 'there is no line after the header'],
    ['x,y\n1,2\n', 'line 1: there is no column "time"'],
    ['x,y,time,x\n', 'line 1: there are two columns "x"'],
    ['x,y,time,valeu\n', 'line 1: unknown column "valeu", allowed: x, y, time and value; did you mean "value"?'],
    ['x,y,time\n1,2\n', 'line 2: found 2 columns, the header has 3'],
    ['x,y,time\n0,0,1\n1,two,3\n', 'line 3: y: found "two", allowed: a finite number'],
    ['x,y,time\n1,,3\n', 'line 2: y: found "", allowed: a finite number'],
    ['x,y,time\n1,1e999,3\n', 'line 2: y: found "1e999", allowed: a finite number'],
    [
      'x,y,time\n31,0,3\n',
      'line 2: found [31, 0], which lies outside the basin; allowed: x from 0 to 30 and y from 0 to 33 (m)',
    ],
    ['x,y,time\n\n1,1,41\n', 'line 3: found time 41 s, allowed: multiples of experiment.window (1 s) up to 40 s'],
    ['x,y,time\n1,1,1.5\n', 'line 2: found time 1.5 s, allowed: multiples of experiment.window (1 s) up to 40 s'],
    ['x,y,time\n1,1,0\n', 'line 2: found time 0 s, allowed: multiples of experiment.window (1 s) up to 40 s'],
  ])('%j', async (text, problem) => {
    expect(await problems(withTable(), { 'o.csv': text })).toEqual([
      `case.json: observations[0].network.file: o.csv: ${problem}`,
    ]);
  });

  test('has its first problems reported, and the others counted', async () => {
    const text = `x,y,time\n${'-1,0,1\n'.repeat(50)}`;
    const found = await problems(withTable(), { 'o.csv': text });
    expect(found).toHaveLength(11);
    expect(found[10]).toBe('case.json: observations[0].network.file: o.csv: 40 more problems');
  });

  test('of many wrong lines costs no more than one of right lines', async () => {
    const count = 200_000;
    const wrong = `x,y,time,value\n${'a,b,c,d\n'.repeat(count)}`;
    const right = `x,y,time,value\n${'1.5,2,3,4\n'.repeat(count)}`;
    const milliseconds = async (text: string): Promise<number> => {
      const begun = performance.now();
      await problems(withTable(), { 'o.csv': text });
      return performance.now() - begun;
    };
    await milliseconds(right);
    expect(await milliseconds(wrong)).toBeLessThan(5 * (await milliseconds(right)) + 200);
    const found = await problems(withTable(), { 'o.csv': wrong });
    // Three columns and a value that are no numbers, and no time.
    expect(found[10]).toContain(`o.csv: ${5 * count - 10} more problems`);
  });
});

test.each([
  ['/etc/bed.npy', 'relative'],
  ['C:\\bed.npy', 'relative'],
  ['\\\\host\\bed.npy', 'relative'],
  ['a/../../bed.npy', "in the scenario's folder"],
  ['..\\bed.npy', 'characters that are not allowed'],
  ['a\u0000.npy', 'characters that are not allowed'],
  ['bed.txt', 'a .npy file'],
])('a file may not be named %j', (file, reason) => {
  const [problem, ...others] = problemsWith({ model: { bathymetry: { kind: 'file', file } } });
  expect(others).toEqual([]);
  expect(problem).toContain('model.bathymetry.file: found ');
  expect(problem).toContain(reason);
});
