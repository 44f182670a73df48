import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CaseError, DivergenceError, createReferenceBackend, formatNpy, runCase } from '../../../engine/index.ts';
import { relativeError } from '../../../engine/cases/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import { oracleCases } from '../../setup/oracle.ts';

const OPERATORS = ['recursive-filter', 'convolution', 'shallow-water', 'variational', 'letkf', 'gain-covariance'];
const ROOT = new URL('../../oracle/', import.meta.url).pathname;

type Files = Readonly<Record<string, Uint8Array | string>>;

function run(files: Files, progress?: (share: number) => void) {
  return runCase(
    createReferenceBackend(),
    'folder',
    (name) => {
      const content = files[name];
      return Promise.resolve(typeof content === 'string' ? new TextEncoder().encode(content) : content);
    },
    progress,
  );
}

const array = (shape: readonly number[], values: ArrayLike<number>) => formatNpy(shape, values);
const description = (operator: string, parameters: object, inputs: readonly string[], rest: object = {}) =>
  JSON.stringify({
    operator,
    parameters,
    inputs: Object.fromEntries(inputs.map((name) => [name, `${name}.npy`])),
    ...rest,
  });

describe.each(OPERATORS)('cases of %s', (operator) => {
  it('reproduce the independent results on the reference backend', async () => {
    for (const { name, tolerance } of oracleCases(operator)) {
      const folder = join(ROOT, operator, name);
      const result = await runCase(createReferenceBackend(), folder, (file) => readFile(join(folder, file)));
      expect(result.operator).toBe(operator);
      expect(result.tolerance).toBe(tolerance.float64);
      expect(Object.values(result.errors).length).toBeGreaterThan(0);
      expect(result.passed, `${name}: ${JSON.stringify(result.errors)}`).toBe(true);
    }
  });
});

/** The literal sweeps along one line, as the definition has them. */
function sweep(signal: readonly number[], sigma: number, iterations: number): number[] {
  const E = iterations / sigma ** 2;
  const alpha = 1 + E - Math.sqrt(E * (E + 2));
  const beta = 1 - alpha;
  const M = 1 / (1 + alpha);
  const s = [...signal];
  for (let k = 1; k <= iterations; k++) {
    const p = [(k === 1 ? beta : M) * s[0]];
    for (let j = 1; j < s.length; j++) p.push(beta * s[j] + alpha * p[j - 1]);
    s[s.length - 1] = M * p[s.length - 1];
    for (let j = s.length - 2; j >= 0; j--) s[j] = beta * p[j] + alpha * s[j + 1];
  }
  return s;
}

describe('a recursive filter', () => {
  const parameters = { sigma: 2, iterations: 3 };
  const literal = (values: readonly number[]) => sweep(values, parameters.sigma, parameters.iterations);
  const filtered = async (shape: readonly number[], values: readonly number[], more: object = {}) => {
    const files = {
      'case.json': description('recursive-filter', { ...parameters, ...more }, ['signal']),
      'signal.npy': array(shape, values),
    };
    return [...(await run(files)).outputs['signal'].data];
  };

  it('treats an axis of one cell as an axis', async () => {
    const values = [1, -2, 3, 0.5];
    const alongOneCell = literal(values).map((value) => literal([value])[0]);
    expect(await filtered([1], [5])).toBeClose(literal([5]), { relative: 1e-15 });
    expect(await filtered([1, 4], values)).toBeClose(alongOneCell, { relative: 1e-14 });
    const thenAlong = literal(values.map((value) => literal([value])[0]));
    expect(await filtered([4, 1], values)).toBeClose(thenAlong, { relative: 1e-14 });
  });

  it('cut into one block is the whole one, along both axes of a field', async () => {
    const values = Array.from({ length: 30 }, (_, i) => Math.sin(3 * i));
    const cut = { decomposition: 'overlapped', blocks: 1, overlap: 0 };
    expect(await filtered([5, 6], values, cut)).toBeClose(await filtered([5, 6], values), { relative: 1e-14 });
  });
});

function runLetkf(parameters: object, files: Files) {
  const inputs = ['ensemble', 'observations', 'observationX', 'observationY', 'observationVariable'];
  const described = description('letkf', parameters, [...inputs, 'observationErrorVariance']);
  return run({ 'case.json': described, ...files });
}

describe('an LETKF case', () => {
  const none = array([0], []);

  it('without observations multiplies the anomalies by the root of the inflation', async () => {
    const { outputs } = await runLetkf(
      { localizationHalfWidth: 2, inflation: 1.44 },
      {
        'ensemble.npy': array([2, 1, 1, 2], [1, 10, 3, 14]),
        'observations.npy': none,
        'observationX.npy': none,
        'observationY.npy': none,
        'observationVariable.npy': none,
        'observationErrorVariance.npy': none,
      },
    );
    expect(outputs['ensemble'].data).toBeClose([2 - 1.2, 12 - 2.4, 2 + 1.2, 12 + 2.4], { relative: 1e-14 });
  });

  it('without localisation is the Kalman filter of its one cell', async () => {
    const one = (value: number) => array([1], [value]);
    const { outputs } = await runLetkf(
      { localization: 'none' },
      {
        'ensemble.npy': array([3, 1, 1, 1], [0, 1, 2]),
        'observations.npy': one(3),
        'observationX.npy': one(0),
        'observationY.npy': one(0),
        'observationVariable.npy': one(0),
        'observationErrorVariance.npy': one(1),
      },
    );
    // Background mean 1 and variance 1, observation 3 of variance 1: mean 2, variance ½.
    const [a, b, c] = outputs['ensemble'].data;
    expect((a + b + c) / 3).toBeCloseTo(2, 13);
    expect(((a - 2) ** 2 + (b - 2) ** 2 + (c - 2) ** 2) / 2).toBeCloseTo(0.5, 13);
  });
});

describe('a shallow-water case', () => {
  const parameters = { scheme: 'central-upwind', dt: 0.01, steps: 20, gravity: 9.81 };
  const inputs = ['h', 'hu', 'hv'];
  const rest = array([2, 3], new Float64Array(6));

  it('of water at rest over a bed stays at rest, with boundaries by axis', async () => {
    const bed = [0, 0.1, 0.2, 0.1, 0, 0.3];
    const { outputs } = await run({
      'case.json': description('shallow-water', { ...parameters, boundary: { x: 'periodic', y: 'wall' } }, [
        ...inputs,
        'bathymetry',
      ]),
      'h.npy': array(
        [2, 3],
        bed.map((elevation) => 1 - elevation),
      ),
      'hu.npy': rest,
      'hv.npy': rest,
      'bathymetry.npy': array([2, 3], bed),
    });
    expect(outputs['h'].data).toBeClose(
      bed.map((elevation) => 1 - elevation),
      { absolute: 1e-13 },
    );
    expect(outputs['hu'].data).toBeClose(new Float64Array(6), { absolute: 1e-13 });
  });

  it('of many steps says how far it is, gives the same numbers, and names the step at which it went wrong', async () => {
    const wave = array([2, 3], [1.1, 1, 1, 1, 1, 1]);
    const files = (steps: number, dt: number) => ({
      'case.json': description('shallow-water', { ...parameters, steps, dt }, inputs),
      'h.npy': wave,
      'hu.npy': rest,
      'hv.npy': rest,
    });
    const shares: number[] = [];
    const { outputs } = await run(files(1500, 0.01), (share) => shares.push(share));
    expect(shares).toEqual([0, 512 / 1500, 1024 / 1500]);
    const model = createShallowWater({
      scheme: 'central-upwind',
      grid: { nx: 3, ny: 2, dx: 1, dy: 1, periodicX: false, periodicY: false },
      gravity: 9.81,
      timeStep: 0.01,
    });
    const backend = createReferenceBackend();
    const initial = model.toState(Float64Array.from([1.1, 1, 1, 1, 1, 1, ...new Float64Array(12)]));
    const state = backend.allocate('state', 'real', initial.length);
    backend.write(state, initial);
    await (await model.prepare(backend, 1)).advanceSteps(state, 1500);
    expect(outputs['h'].data).toEqual(model.fromState(await backend.read(state)).slice(0, 6));

    const failure: unknown = await run(files(100_000, 0.4)).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DivergenceError);
  });

  it('refuses what the scheme cannot do', async () => {
    const files = { 'h.npy': array([2, 3], new Float64Array(6).fill(1)), 'hu.npy': rest, 'hv.npy': rest };
    const turning = description(
      'shallow-water',
      { ...parameters, scheme: 'lax-wendroff', coriolis: { f: 1e-4 } },
      inputs,
    );
    await expect(run({ 'case.json': turning, ...files })).rejects.toThrow(/folder\/case\.json: .*does not rotate/);
    const dry = description('shallow-water', { ...parameters, scheme: 'lax-wendroff' }, inputs);
    await expect(run({ 'case.json': dry, ...files, 'h.npy': rest })).rejects.toThrow(
      /h\.npy: element 0 is 0.*above 0 m/,
    );
  });
});

/** An array whose header names this type. */
function withType(type: string): Uint8Array {
  const header = new TextEncoder().encode(`{'descr': '${type}', 'fortran_order': False, 'shape': (4,), }\n`);
  const bytes = new Uint8Array(12 + header.length + 32);
  bytes.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 2]);
  new DataView(bytes.buffer).setUint32(8, header.length, true);
  bytes.set(header, 12);
  return bytes;
}

it('a result that is not finite fails, whether or not something is expected', async () => {
  const files = {
    'case.json': description('convolution', { taps: [1e308, 1e308], lower: 0 }, ['volume']),
    'volume.npy': array([1, 2, 2], [1e300, 1, 1, 1]),
  };
  const { passed, notFinite } = await run(files);
  expect(passed).toBe(false);
  expect(notFinite).toMatch(/^volume: element \d is (Infinity|NaN)$/);
});

describe('a case that is not well formed', () => {
  const signal = array([4], [1, 2, 3, 4]);
  const filter = (parameters: object, rest: object = {}) =>
    description('recursive-filter', parameters, ['signal'], rest);
  const good = { sigma: 2, iterations: 3 };
  const gain = description('gain-covariance', { shape: [1, 2] }, [
    'anomalies',
    'taperRow',
    'hData',
    'hIndices',
    'hIndptr',
  ]);
  const gainFiles = {
    'case.json': gain,
    'anomalies.npy': array([2, 2], [1, -1, 2, -2]),
    'taperRow.npy': array([2], [1, 0.5]),
    'hData.npy': array([1], [1]),
    'hIndices.npy': array([1], [1]),
    'hIndptr.npy': array([2], [0, 1]),
  };
  const cases: readonly (readonly [what: string, files: Files, message: RegExp])[] = [
    ['no case.json', {}, /folder\/case\.json: there is no such file/],
    ['an empty case.json', { 'case.json': ' ' }, /the file is empty/],
    ['broken JSON', { 'case.json': '{"operator": }' }, /case\.json: not JSON/],
    ['a list', { 'case.json': '[]' }, /case\.json: found \[\], allowed: object/],
    ['no operator', { 'case.json': '{"inputs": {}}' }, /operator: missing, allowed: string/],
    [
      'an unknown operator',
      { 'case.json': '{"operator": "recursive-fliter", "inputs": {}}' },
      /did you mean recursive-filter\?/,
    ],
    [
      'a misspelt key',
      { 'case.json': filter(good, { tolerence: {} }) },
      /unknown key "tolerence"; did you mean tolerance\?/,
    ],
    [
      'a wrong type',
      { 'case.json': filter({ ...good, sigma: 'two' }) },
      /parameters\.sigma: found "two", allowed: number/,
    ],
    ['a missing parameter', { 'case.json': filter({ iterations: 3 }) }, /parameters\.sigma: missing, allowed: number/],
    [
      'a value out of range',
      { 'case.json': filter({ ...good, sigma: -1 }) },
      /parameters\.sigma: found -1, allowed: number >0/,
    ],
    [
      'half an iteration',
      { 'case.json': filter({ ...good, iterations: 1.5 }) },
      /parameters\.iterations: found 1\.5, allowed: whole number/,
    ],
    [
      'an unknown parameter',
      { 'case.json': filter({ ...good, sgima: 2 }) },
      /parameters\.sgima: unknown key; did you mean sigma\?/,
    ],
    ['no input', { 'case.json': description('recursive-filter', good, []) }, /inputs\.signal: missing/],
    [
      'an unknown input',
      { 'case.json': description('recursive-filter', good, ['signals']) },
      /inputs\.signals: unknown array; did you mean signal\?/,
    ],
    ['a missing array', { 'case.json': filter(good) }, /folder\/signal\.npy: there is no such file/],
    ['no .npy file', { 'case.json': filter(good), 'signal.npy': 'no' }, /folder\/signal\.npy: not a \.npy file/],
    ['a file cut off', { 'case.json': filter(good), 'signal.npy': signal.slice(0, -1) }, /signal\.npy: .*cut off/],
    [
      'a wrong shape',
      { 'case.json': filter(good), 'signal.npy': array([1, 1, 4], [1, 2, 3, 4]) },
      /signal\.npy: found the shape \(1, 1, 4\)/,
    ],
    ['NaN', { 'case.json': filter(good), 'signal.npy': array([2], [1, NaN]) }, /signal\.npy: element 1 is NaN/],
    [
      'blocks without overlap',
      { 'case.json': filter({ ...good, decomposition: 'overlapped', blocks: 2 }), 'signal.npy': signal },
      /parameters\.overlap: missing/,
    ],
    [
      'more blocks than points',
      { 'case.json': filter({ ...good, decomposition: 'overlapped', blocks: 5, overlap: 1 }), 'signal.npy': signal },
      /parameters\.blocks: found 5, allowed: 1 to 4/,
    ],
    [
      'an overlap beyond the signal',
      {
        'case.json': filter({ ...good, decomposition: 'overlapped', blocks: 2, overlap: 2147483648 }),
        'signal.npy': signal,
      },
      /parameters\.overlap: found 2147483648, allowed: 0 to 4, the points of/,
    ],
    [
      'a key of many characters that a terminal obeys',
      { 'case.json': filter({ ...good, [`\u001B[2J\u202E${'k'.repeat(200_000)}`]: 1 }), 'signal.npy': signal },
      /^.{20,600}$/,
    ],
    [
      'an operator of many characters',
      { 'case.json': `{"operator": "\\u001b]0;${'o'.repeat(200_000)}", "inputs": {}}` },
      /there is no operator "\\u\S+…o+"; allowed:/,
    ],
    [
      'a file whose name is no name',
      {
        'case.json': JSON.stringify({
          operator: 'convolution',
          parameters: { taps: [1], lower: 0 },
          inputs: { volume: `a\nb\u009B${'n'.repeat(200_000)}` },
        }),
      },
      /^folder\/a\\u\{a\}b\\u\{9b\}n+…n+: there is no such file$/,
    ],
    [
      'an array type of many characters',
      { 'case.json': filter(good), 'signal.npy': withType(`\u001B[31m${'t'.repeat(60_000)}`) },
      /signal\.npy: array type ".{20,200}" is not read/,
    ],
    [
      'an expected array of another shape',
      {
        'case.json': filter(good, { outputs: { signal: 'expected.npy' } }),
        'signal.npy': signal,
        'expected.npy': array([2], [1, 2]),
      },
      /expected\.npy: found the shape \(2,\), allowed: \(4,\)/,
    ],
    [
      'columns that are no whole numbers',
      { ...gainFiles, 'hIndices.npy': array([1], [0.5]) },
      /hIndices\.npy: element 0 is 0\.5, allowed: whole numbers from 0 to 1/,
    ],
    ['columns outside the state', { ...gainFiles, 'hIndices.npy': array([1], [2]) }, /hIndices\.npy: element 0 is 2/],
    ['rows that fall', { ...gainFiles, 'hIndptr.npy': array([3], [0, 1, 0]) }, /hIndptr\.npy: element 2 is 0 after 1/],
    [
      'rows that end early',
      { ...gainFiles, 'hIndptr.npy': array([2], [0, 0]) },
      /hIndptr\.npy: found 0 … 0, allowed: 0 … 1/,
    ],
    ['one member', { ...gainFiles, 'anomalies.npy': array([2, 1], [1, 2]) }, /anomalies\.npy: found one member/],
    [
      'a state that is no multiple of the grid',
      { ...gainFiles, 'anomalies.npy': array([3, 2], [1, 2, 3, 4, 5, 6]) },
      /found 3 rows/,
    ],
  ];

  it.each(cases)('is reported: %s', async (_what, files, message) => {
    const failure: unknown = await run(files).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CaseError);
    expect((failure as CaseError).message).toMatch(message);
    expect((failure as CaseError).message).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect((failure as CaseError).message.length).toBeLessThan(1000);
    expect((failure as CaseError).message.startsWith('folder/')).toBe(true);
  });

  it('is one only where something is wrong', async () => {
    expect((await run(gainFiles)).outputs['pht'].shape).toEqual([2, 1]);
    // e = (1, −1; 2, −2), H picks cell 1: C∘(eeᵀ) column 1 = (½·4, 1·8) / 1.
    expect((await run(gainFiles)).outputs['pht'].data).toBeClose([2, 8], { relative: 1e-15 });
  });
});

it('measures errors against the larger of 1 and the largest expected value', () => {
  expect(relativeError([1, 2.5], [1, 2])).toBe(0.25);
  expect(relativeError([0.5], [0.25])).toBe(0.25);
  expect(relativeError([1, NaN], [1, 2])).toBeNaN();
});
