import { beforeEach, describe, expect, it } from 'vitest';
import { formatNpy } from '../../../../engine/index.ts';
import type { OpenedFile } from '../../../../app/host/host.ts';
import { BUNDLED_SCENARIOS, FIRST_SCENARIO } from '../../../../app/document/scenario/bundled-scenarios.ts';
import { createRunView } from '../../../../app/document/run-view.ts';
import { METHOD_KINDS } from '../../scenario/problems-of.ts';
import { fakeClock, fakeRuns, settle } from '../../document/run/fake-run.ts';
import { laboratoryOf } from '../../page/laboratory.ts';
import { catalogueOf } from '../../../../app/document/scenario/bundled-scenarios.ts';
import { openingOf } from '../../../../app/features/opening/open-scenario.ts';

const laboratory = laboratoryOf();
const { notices } = laboratory.notices;
const { question } = laboratory.questions;
const { bundledScenario, bundledTitle } = catalogueOf(laboratory);

function long(count: number, one: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => one(index)).join(',');
}

function file(text: string, siblings: Readonly<Record<string, Uint8Array>> = {}): OpenedFile {
  return {
    name: 'mine.json',
    bytes: new TextEncoder().encode(text),
    siblings: (name) => Promise.resolve(siblings[name]),
  };
}

const VALID = '{"version": 3, "name": "mine", "methods": [{"kind": "letkf"}]}';
const WITH_BED = JSON.stringify({
  ...JSON.parse(VALID),
  grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
  model: { scheme: 'central-upwind', bathymetry: { kind: 'file', file: 'bed.npy' } },
});
let run = createRunView(laboratory, fakeRuns().open);
let opened: ReturnType<typeof fakeRuns>['opened'];
const openBundled = (name: string): Promise<boolean> => openingOf(run).openBundled(name);
const openFile = (from: OpenedFile): Promise<boolean> => openingOf(run).openFile(from);

beforeEach(async () => {
  const fake = fakeRuns();
  opened = fake.opened;
  run = createRunView(laboratory, fake.open, { clock: fakeClock() });
  await openFile(file(VALID));
  notices.value = [];
});

describe('opening a file', () => {
  it('runs what is in it', () => {
    expect(opened.map(({ scenario }) => scenario.name)).toStrictEqual(['mine']);
    expect(run.scenario.origin.value).toMatchObject({ name: 'mine.json', kind: 'file' });
  });

  it('of an earlier version converts it, and says so', async () => {
    await expect(openFile(file('{"version": 1, "name": "former", "methods": [{"kind": "3dvar"}]}'))).resolves.toBe(
      true,
    );
    expect(notices.value).toMatchObject([{ kind: 'warning', title: 'The scenario was converted' }]);
    expect(opened.at(-1)?.scenario).toMatchObject({ version: 3, methods: [{ covariance: { length: 4.24264 } }] });
    expect(JSON.parse(run.scenario.draftText())).toMatchObject({
      version: 3,
      methods: [{ covariance: { length: 4.24264 } }],
    });
  });

  it('calls a setting of a method that it remarks on as the form does', async () => {
    const method = { kind: 'letkf', label: 'everywhere', localisation: { halfWidth: 1000 } };
    await openFile(file(JSON.stringify({ ...JSON.parse(VALID), methods: [{ kind: 'free-run' }, method] })));
    expect(notices.value.flatMap(({ lines }) => lines).join('\n')).toContain(
      'everywhere: Half-width (m): 1000 m reaches everything',
    );
  });

  it('reports each problem with its line and path, and what was running continues', async () => {
    const wrong = '{\n  "version": 3,\n  "name": "mine",\n  "grid": { "nx": -4 },\n  "sed": 3\n}';
    await expect(openFile(file(wrong))).resolves.toBe(false);
    const [notice] = notices.value;
    expect(notice.kind).toBe('error');
    expect(notice.lines.some((line) => line.startsWith('mine.json:4:') && line.includes('grid.nx'))).toBe(true);
    expect(notice.lines.some((line) => line.includes('did you mean "seed"'))).toBe(true);
    expect(notice.lines.at(-1)).toBe('The current run continues.');
    expect(opened).toHaveLength(1);
    expect(opened[0].isDisposed).toBe(false);
  });

  it.each<readonly [what: string, bytes: string | Uint8Array, told: string]>([
    ['nothing', '', 'mine.json: the file is empty; a scenario is a JSON object'],
    ['spaces', ' \n\t ', 'mine.json: the file is empty'],
    ['words', 'not JSON', 'mine.json:1:1: not JSON: this is not part of JSON, found "not"'],
    ['a zero', '\u0000', 'mine.json:1:1: '],
    ['a list', '[]', 'mine.json:1:1: found [], allowed: an object'],
    ['null', 'null', 'mine.json:1:1: found null, allowed: an object'],
    ['a text', '"mine"', 'mine.json:1:1: found "mine", allowed: an object'],
    ['a missing version', '{"name": "mine"}', 'mine.json:1:1: version: missing, allowed: 3'],
    ['a missing name', '{"version": 3}', 'mine.json:1:1: name: missing, allowed: text'],
    ['another version', '{"version": 4, "x": 1}', 'mine.json:1:13: version: found 4, allowed: 3'],
    ['a wrong type', '{"version": 3, "name": 5}', 'mine.json:1:24: name: found 5, allowed: text'],
    [
      'a name with capitals',
      '{"version": 3, "name": "Mine"}',
      'allowed: text of 1 to 64 characters like "water-drops": lower-case',
    ],
    ['NaN', '{"version": 3, "name": "m", "seed": NaN}', 'mine.json:1:37: found NaN, allowed: finite numbers'],
    [
      '1e999',
      '{"version": 3, "name": "m", "seed": 1e999}',
      'mine.json:1:37: seed: found 1e999, allowed: finite numbers',
    ],
    [
      'too many digits',
      '{"version": 3, "name": "m", "seed": 9007199254740993}',
      'seed: found 9007199254740993, allowed: a whole number',
    ],
    [
      'a huge grid',
      '{"version": 3, "name": "m", "grid": {"nx": 100000000}}',
      'mine.json:1:44: grid.nx: found 100000000, allowed: a whole number from 4 to 8192',
    ],
    [
      'a negative number',
      '{"version": 3, "name": "m", "experiment": {"window": -2}}',
      'experiment.window: found -2, allowed: a number above 0',
    ],
    [
      'a key that is there twice',
      '{"version": 3, "name": "m", "name": "n"}',
      'mine.json:1:29: name: the key "name" is there more than once',
    ],
    ['a byte order mark', '\uFEFF{"version": 3, "name": 5}', 'mine.json:1:24: name: found 5'],
    [
      'a trailing comma',
      '{"version": 3, "name": "m",}',
      'mine.json:1:28: not JSON: a comma before the closing } is not allowed',
    ],
    ['single quotes', "{'version': 1}", 'mine.json:1:2: found a single quote'],
    [
      'a tab in a text',
      '{"version": 3, "name": "a\tb"}',
      'mine.json:1:26: not JSON: a text contains a control character; write it as an escape, found "\\t"',
    ],
    ['an end in the middle', '{"version": 3, "name": "m', 'mine.json:1:'],
    ['two objects', '{"version": 3, "name": "m"} {}', 'mine.json:1:29: not JSON: there is more text after the end'],
    ['binary', Uint8Array.from({ length: 256 }, (_, byte) => byte), 'mine.json: not UTF-8 text'],
    ['UTF-16', Uint8Array.from([0xff, 0xfe, 0x7b, 0, 0x7d, 0]), 'mine.json: not UTF-8 text'],
    [
      'a near miss of a key',
      '{"version": 3, "name": "m", "metods": []}',
      'mine.json:1:29: metods: unknown key "metods"; did you mean "methods"?',
    ],
    [
      'a near miss of a kind',
      '{"version": 3, "name": "m", "methods": [{"kind": "letfk"}]}',
      `methods[0].kind: found "letfk", allowed: ${METHOD_KINDS}; did you mean "letkf"?`,
    ],
    [
      'nesting without end',
      `{"version": 3, "name": ${'['.repeat(100_000)}`,
      'are nested deeper than the 32 levels that are allowed',
    ],
    [
      'a key that reaches into objects',
      '{"version": 3, "name": "m", "__proto__": {"polluted": true}}',
      'mine.json:1:29: __proto__: the key "__proto__" is not allowed',
    ],
    [
      'the same, deeper',
      '{"version": 3, "name": "m", "grid": {"constructor": {"prototype": 1}}}',
      'grid.constructor: the key "constructor" is not allowed',
    ],
    [
      'methods without end',
      `{"version": 3, "name": "m", "methods": [${long(100_000, () => '{"kind": "letkf"}')}]}`,
      'methods: found 100000 entries, allowed: a list of 1 to 32',
    ],
    [
      'unknown keys without end',
      `{"version": 3, "name": "m", ${long(10_000, (index) => `"k${index}": 0`)}}`,
      'k0: unknown key "k0", allowed:',
    ],
    ['a comment that is not closed', '{"version": 3, /* one "name": "m"}', 'a comment is not closed by */'],
    ['too many bytes', new Uint8Array(4 * 2 ** 20 + 1), 'mine.json: the file has more than 4194304 bytes'],
    [
      'a file outside of the folder',
      '{"version": 3, "name": "m", "truth": {"initial": {"kind": "file", "file": "../../secret.npy"}}}',
      'truth.initial.file: found "../../secret.npy", allowed: a file in the scenario\'s folder or below it',
    ],
  ])('reports what is wrong with %s, and where', async (_what, written, told) => {
    const bytes = typeof written === 'string' ? new TextEncoder().encode(written) : written;
    await expect(openFile({ name: 'mine.json', bytes, siblings: () => Promise.resolve(undefined) })).resolves.toBe(
      false,
    );
    const [{ lines }] = notices.value;
    expect(notices.value).toHaveLength(1);
    expect(lines[0]).toContain(told);
    expect(lines.every((line) => line === 'The current run continues.' || line.startsWith('mine.json:'))).toBe(true);
    expect(lines.length).toBeLessThanOrEqual(52);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(opened).toHaveLength(1);
  });

  it.each<readonly [what: string, bytes: Uint8Array, told: string]>([
    ['no array', new TextEncoder().encode('hello'), 'bed.npy: not a .npy file'],
    [
      'another shape',
      formatNpy([2, 2], new Float64Array(4)),
      'bed.npy: found an array of shape [2, 2], allowed: [4, 4]',
    ],
    [
      'a number that is none',
      formatNpy([4, 4], new Float64Array(16).fill(Number.NaN)),
      'bed.npy: found NaN at [0, 0], allowed: finite numbers',
    ],
    [
      'half of it',
      formatNpy([4, 4], new Float64Array(16)).slice(0, 150),
      'bed.npy: shape [4, 4] of type f8 needs 128 bytes of data, found 22',
    ],
  ])('says of an array beside it that it is %s', async (_what, bytes, told) => {
    await expect(openFile(file(WITH_BED, { 'bed.npy': bytes }))).resolves.toBe(false);
    expect(notices.value[0].lines[0]).toContain(`mine.json: model.bathymetry.file: ${told}`);
  });

  it('names a file that is missing beside it', async () => {
    const raw = { ...JSON.parse(VALID), model: { bathymetry: { kind: 'file', file: 'bed.npy' } } };
    await expect(openFile(file(JSON.stringify(raw)))).resolves.toBe(false);
    expect(notices.value[0].lines[0]).toContain('bed.npy');
  });
});

describe('opening several', () => {
  const BED = formatNpy([4, 4], new Float64Array(16).fill(-2));

  it('ends with the one that was asked for last, whichever is ready first', async () => {
    const answers: ((bytes: Uint8Array) => void)[] = [];
    const slow = openFile({
      ...file(WITH_BED),
      siblings: () =>
        new Promise((resolve) => {
          answers.push(resolve);
        }),
    });
    await settle();
    await openBundled(FIRST_SCENARIO);
    for (const answer of answers) answer(BED);
    await expect(slow).resolves.toBe(false);
    expect(opened.map(({ scenario }) => scenario.name)).toStrictEqual(['mine', FIRST_SCENARIO]);
    expect(run.scenario.origin.value.name).toBe(`${FIRST_SCENARIO}.json`);
    await expect(openFile(file(WITH_BED, { 'bed.npy': BED }))).resolves.toBe(true);
  });

  it('gives up one that was ready while the person was asked about another', async () => {
    run.scenario.setDraftValue('seed', 77);
    const first = openBundled(FIRST_SCENARIO);
    await settle();
    const second = openFile(file(VALID.replace('mine', 'second')));
    await settle();
    question.value?.answer('discard');
    await expect(Promise.all([first, second])).resolves.toStrictEqual([false, true]);
    expect(opened.map(({ scenario }) => scenario.name)).toStrictEqual(['mine', 'second']);
  });
});

describe('changes that are not saved', () => {
  it('are kept when the person says so', async () => {
    run.scenario.setDraftValue('seed', 77);
    const opening = openBundled(FIRST_SCENARIO);
    await settle();
    question.value?.answer('cancel');
    await expect(opening).resolves.toBe(false);
    expect(opened).toHaveLength(1);
  });

  it('are given up when the person says so', async () => {
    run.scenario.setDraftValue('seed', 77);
    const opening = openBundled(FIRST_SCENARIO);
    await settle();
    question.value?.answer('discard');
    await expect(opening).resolves.toBe(true);
    expect(opened.map(({ scenario }) => scenario.name)).toStrictEqual(['mine', FIRST_SCENARIO]);
  });
});

describe('the scenarios that ship', () => {
  it('begin with the one of the first launch, and can all be opened', () => {
    expect(BUNDLED_SCENARIOS[0].name).toBe(FIRST_SCENARIO);
    for (const { name } of BUNDLED_SCENARIOS) {
      const { scenario } = bundledScenario(name);
      expect(scenario.name).toBe(name);
      expect(bundledTitle(name)).toBe(scenario.title);
    }
    expect(() => bundledTitle('elsewhere')).toThrow(RangeError);
  });
});
