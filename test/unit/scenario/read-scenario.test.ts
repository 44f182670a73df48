/** What is said of a file that is not a scenario: file, line and column, path, found, allowed, and what may be meant. */
import { describe, expect, test } from 'vitest';
import {
  MAXIMUM_SCENARIO_BYTES,
  parseScenario,
  parseScenarioInSteps,
  validateScenario,
} from '../../../engine/scenario/index.ts';
import { METHOD_KINDS, problemsOf } from './problems-of.ts';

/** The file of the design, laid out so that each section has a line of its own. */
const LINES = [
  '{ "version": 3, "name": "water-drops", "seed": 1,',
  '  "grid": { "nx": 64, "ny": 64, "dx": 1, "dy": 1 },',
  '  "model": { "scheme": "lax-wendroff", "timeStep": 0.1, "gravity": 9.8 },',
  '  "truth": { "initial": { "kind": "drops", "count": 6, "amplitude": [0.1, 0.5], "width": 10 }, "spinup": 10 },',
  '  "background": { "members": 20 },',
  '  "observations": [{ "name": "gauges", "network": { "kind": "regular", "stride": [4, 4], "offset": [2, 2] } }],',
  '  "methods": [{ "kind": "free-run" },',
  '    { "kind": "3dvar", "covariance": { "kind": "recursive-filter", "length": 3, "iterations": 4 } },',
  '    { "kind": "letkf", "localisation": { "halfWidth": 4 }, "inflation": 1.05 }],',
  '  "experiment": { "cycles": 40, "window": 1, "spinup": 10 } }',
];
const TEXT = LINES.join('\n');

/** The problems of the file with one piece replaced. */
function changed(from: string, to: string): readonly string[] {
  expect(TEXT).toContain(from);
  return problemsOf(TEXT.replace(from, to));
}

async function inSteps(text: string): Promise<{ readonly pauses: number; readonly read: unknown }> {
  let pauses = 0;
  const pause = (): Promise<void> => {
    pauses++;
    return Promise.resolve();
  };
  const read = await parseScenarioInSteps(text, 'water.json', pause).catch((error: unknown) => error);
  return { pauses, read };
}

describe('a good file', () => {
  test('is read, with every default filled in', () => {
    const { scenario, raw, warnings } = parseScenario(TEXT, 'water.json');
    expect(raw).toEqual(JSON.parse(TEXT));
    expect(warnings).toEqual([
      {
        path: ['model', 'scheme'],
        message: expect.stringContaining('"lax-wendroff" amplifies diagonal waves') as string,
      },
    ]);
    expect(scenario.model).toEqual({
      scheme: 'lax-wendroff',
      timeStep: 0.1,
      courant: 0.4,
      gravity: 9.8,
      coriolis: { f: 0, beta: 0 },
      friction: { manning: 0, linear: 0 },
      boundary: { x: 'wall', y: 'wall' },
      bathymetry: { kind: 'flat', depth: 1 },
    });
    expect(scenario.methods.map(({ label }) => label)).toEqual(['free-run', '3dvar', 'letkf']);
    expect(scenario.methods[1]).toMatchObject({
      covariance: { normalised: true, balance: 'none', standardDeviation: { h: 0.05, hu: 0, hv: 0 } },
      minimisation: { tolerance: 1e-4, maxIterations: 60 },
    });
    const undefinedValues = JSON.stringify(scenario, (_key, value: unknown) =>
      value === undefined ? 'UNDEFINED' : value,
    );
    expect(undefinedValues).not.toContain('UNDEFINED');
  });

  test('may begin with a byte order mark, and may be bytes', () => {
    const plain = parseScenario(TEXT, 'water.json').scenario;
    expect(parseScenario(`\uFEFF${TEXT}`, 'water.json').scenario).toEqual(plain);
    expect(parseScenario(new TextEncoder().encode(`\uFEFF${TEXT}`), 'water.json').scenario).toEqual(plain);
  });
});

test('reads comments, and knows the place of what follows them', () => {
  const commented = `// ${'{'.repeat(99)}\n${TEXT.replace('{', '{ /* "quoted" // twice */')}\n// the end`;
  expect(parseScenario(commented, 'water.json').scenario).toEqual(parseScenario(TEXT, 'water.json').scenario);
  expect(problemsOf('{"version": 3, // https://example.org\n "name": 1}')[0]).toMatch(/^case\.json:2:10: name: /);
  expect(parseScenario('{"version": 3, "name": "a", "title": "no // comment"}', 'a').scenario.title).toBe(
    'no // comment',
  );
});

test.each([
  ['', 'case.json: the file is empty; a scenario is a JSON object, at least {"version": 3, "name": "…"}'],
  [' \n\t', 'case.json: the file is empty; a scenario is a JSON object, at least {"version": 3, "name": "…"}'],
  ['[]', 'case.json:1:1: found [], allowed: an object: {"version": 3, "name": "…"}'],
  ['null', 'case.json:1:1: found null, allowed: an object: {"version": 3, "name": "…"}'],
  ['3', 'case.json:1:1: found 3, allowed: an object: {"version": 3, "name": "…"}'],
  ['{', 'case.json:1:2: not JSON: the file ends before a closing }'],
  ['{\n "version": 3,\n}', 'case.json:3:1: not JSON: a comma before the closing } is not allowed'],
  ['{"version": 3}}', 'case.json:1:15: not JSON: there is more text after the end of the object, found "}"'],
  ['{"version": 3, // one\n "name" "a"}', 'case.json:2:9: not JSON: a colon is expected after the key, found "\\""'],
  ['{"version": 3 /* one', 'case.json:1:15: not JSON: a comment is not closed by */, found "/*"'],
  ["{'version': 1}", 'case.json:1:2: found a single quote; text is written in double quotes in JSON'],
  ['{\n\n  "version" 1}', 'case.json:3:13: not JSON: a colon is expected after the key, found "1"'],
  ['{"version": 3\n "name": "a"}', 'case.json:2:2: not JSON: a comma is missing before this, found "\\""'],
  ['{"version": 3, "name": "a}', 'case.json:1:24: not JSON: the closing double quote of a text is missing'],
  ['{"seed": NaN}', 'case.json:1:10: found NaN, allowed: finite numbers'],
  ['{"seed": -Infinity}', 'case.json:1:10: found -Infinity, allowed: finite numbers'],
])('%j is not JSON', (text, problem) => {
  expect(problemsOf(text)).toEqual([problem]);
});

describe('a file that is read in steps', () => {
  test('is what it is if read at once, after four pauses', async () => {
    expect(await inSteps(TEXT)).toEqual({ pauses: 4, read: parseScenario(TEXT, 'water.json') });
  });

  test('has the same problems', async () => {
    const text = TEXT.replace('"nx": 64', '"nx": -64');
    const { read } = await inSteps(text);
    expect(String(read)).toContain('grid.nx');
    expect(() => parseScenario(text, 'water.json')).toThrow(read);
  });
});

describe('a file that JSON allows and a scenario does not', () => {
  test.each([
    ['"cycles"', '"cycels"', '10:19: experiment.cycels: unknown key "cycels"; did you mean "cycles"?'],
    [
      '"halfWidth"',
      '"halfwidth"',
      '9:42: methods[2].localisation.halfwidth: unknown key "halfwidth"; did you mean "halfWidth"?',
    ],
    ['"letkf"', '"letfk"', `9:15: methods[2].kind: found "letfk", allowed: ${METHOD_KINDS}; did you mean "letkf"?`],
    ['"kind": "letkf", ', '', `9:5: methods[2].kind: missing, allowed: ${METHOD_KINDS}`],
    [
      '"lax-wendroff"',
      '"lax-wendrof"',
      '3:24: model.scheme: found "lax-wendrof", allowed: "lax-wendroff", "richtmyer" or "central-upwind"; did you mean "lax-wendroff"?',
    ],
    [
      '"recursive-filter"',
      '"gaussian"',
      '8:73: methods[1].covariance.iterations: unknown key "iterations", allowed: kind, length, standardDeviation, normalised and balance',
    ],
    ['"nx": 64', '"nx": "64"', '2:19: grid.nx: found "64", allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": 6.5', '2:19: grid.nx: found 6.5, allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": 64.50', '2:19: grid.nx: found 64.50, allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": 1e300', '2:19: grid.nx: found 1e300, allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": 3', '2:19: grid.nx: found 3, allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": null', '2:19: grid.nx: found null, allowed: a whole number from 4 to 8192 (cells)'],
    ['"nx": 64', '"nx": 1e999', '2:19: grid.nx: found 1e999, allowed: finite numbers'],
    ['"dx": 1', '"dx": 0', '2:39: grid.dx: found 0, allowed: a number above 0 and at most 1000000 (m)'],
    [
      '0.1,',
      '"aut",',
      '3:52: model.timeStep: found "aut", allowed: a number above 0 and at most 100000 or "auto" (s); did you mean "auto"?',
    ],
    [
      '[0.1, 0.5]',
      '[0.5, 0.1]',
      '4:69: truth.initial.amplitude: found [0.5, 0.1]: the first number is above the second, allowed: [lowest, highest]',
    ],
    [
      '[0.1, 0.5]',
      '[0.5]',
      '4:69: truth.initial.amplitude: found [0.5], allowed: a list of 2, each a number from -1000 to 1000 (m)',
    ],
    [
      '[0.1, 0.5]',
      '[0.5, {}]',
      '4:75: truth.initial.amplitude[1]: found an object, allowed: a number from -1000 to 1000',
    ],
    ['"members": 20', '"members": 0', '5:30: background.members: found 0, allowed: a whole number from 1 to 4096'],
    [
      '"name": "water-drops"',
      '"name": "Water drops"',
      '1:25: name: found "Water drops", allowed: text of 1 to 64 characters like "water-drops": lower-case letters and digits in words joined by hyphens',
    ],
    [
      '"version": 3',
      '"version": 4',
      '1:14: version: found 4, allowed: 3, or 1 or 2, which are converted; this program knows no other version of the file format',
    ],
    ['"seed": 1', '"seed": 1, "seed": 2', '1:51: seed: the key "seed" is there more than once'],
    ['"seed": 1', '"__proto__": { "seed": 1 }', '1:40: __proto__: the key "__proto__" is not allowed in a scenario'],
    ['"seed": 1', '"constructor": 1', '1:40: constructor: the key "constructor" is not allowed in a scenario'],
    [
      '"seed": 1',
      '"a\\nb": 1',
      '1:40: ["a\\nb"]: unknown key "a\\nb", allowed: $schema, version, name, title, description, seed, grid, model, truth, background, observations, methods, experiment, interventions, branches, lesson and expected',
    ],
  ])('%s instead of %s', (from, to, problem) => {
    expect(changed(from, to)).toEqual([`case.json:${problem}`]);
  });

  test('has all of its problems reported at once', () => {
    const text = TEXT.replace('"nx": 64', '"nx": 0')
      .replace('"inflation": 1.05', '"inflation": 0')
      .replace('"window"', '"windov"');
    expect(problemsOf(text).map((line) => line.split(': ')[1])).toEqual([
      'grid.nx',
      'methods[2].inflation',
      'experiment.windov',
    ]);
  });

  test('without what it must have', () => {
    expect(problemsOf('{}')).toEqual([
      'case.json:1:1: version: missing, allowed: 3',
      'case.json:1:1: name: missing, allowed: text of 1 to 64 characters like "water-drops"',
    ]);
  });
});

describe('limits', () => {
  test('the size of the file', () => {
    const most = `${TEXT}${' '.repeat(MAXIMUM_SCENARIO_BYTES - TEXT.length)}`;
    expect(problemsOf(most)).toEqual([]);
    expect(problemsOf(`${most}  `)).toEqual([
      'case.json: the file has 4194306 bytes, allowed: 4194304 (4 MiB); put arrays into .npy or .csv files beside it',
    ]);
    // A host reads one byte too many of a file that may be far longer.
    expect(problemsOf(`${most} `)).toEqual([expect.stringContaining('the file has more than 4194304 bytes')]);
    expect(problemsOf(new Uint8Array(MAXIMUM_SCENARIO_BYTES + 1))).toHaveLength(1);
  });

  test.each([
    ['[', 33],
    ['{"a":', 161],
  ])('the depth of nesting, %s', (open, column) => {
    expect(problemsOf(open.repeat(500_000))).toEqual([
      `case.json:1:${column}: lists and objects are nested deeper than the 32 levels that are allowed`,
    ]);
  });

  test('the length of lists, before each entry is looked at', () => {
    const entries = Array.from({ length: 200_000 }, () => '{}').join(',');
    expect(problemsOf(`{"version":2,"name":"a","observations":[${entries}]}`)).toEqual([
      'case.json:1:40: observations: found 200000 entries, allowed: a list of 0 to 64',
    ]);
  });

  test('the number of problems that are reported', () => {
    const points = Array.from({ length: 60 }, () => '[-1, 0]').join(',');
    const network = `{"kind":"points","points":[${points}]}`;
    const problems = problemsOf(`{"version":2,"name":"a","observations":[{"network":${network}}]}`);
    expect(problems).toHaveLength(51);
    expect(problems[50]).toBe('case.json: 10 more problems');
    const keys = Array.from({ length: 5000 }, (_, i) => `"key${i}":0`).join(',');
    expect(problemsOf(`{"version":2,"name":"a",${keys}}`)[20]).toBe('case.json:1:1: 4980 more unknown keys');
  });

  test('bytes that are not text', () => {
    expect(problemsOf(Uint8Array.of(0x7b, 0xff, 0xfe))).toEqual(['case.json: not UTF-8 text; a JSON file is needed']);
  });
});

test('a value that comes without a text is reported without a position', () => {
  const raw = { version: 3, name: 'panel', grid: { nx: Number.NaN } };
  expect(() => validateScenario(raw, 'the settings')).toThrow(
    'the settings: grid.nx: found NaN, allowed: finite numbers',
  );
  const ring: Record<string, unknown> = { version: 3, name: 'ring' };
  ring['grid'] = ring;
  expect(() => validateScenario(ring, 'the settings')).toThrow('nested deeper than the 32 levels that are allowed');
});
