import { beforeEach, describe, expect, it } from 'vitest';
import { formatNpy } from '../../../../engine/index.ts';
import type { OpenedFile } from '../../../../app/host/host.ts';
import {
  BUNDLED_SCENARIOS,
  FIRST_SCENARIO,
  bundledScenario,
} from '../../../../app/renderer/state/bundled-scenarios.ts';
import { notices } from '../../../../app/renderer/state/notices.ts';
import { openBundled, openFile } from '../../../../app/renderer/state/open-scenario.ts';
import { question } from '../../../../app/renderer/state/question.ts';
import { createRunController, setRunController } from '../../../../app/renderer/state/run-controller.ts';
import { markSaved, origin, setDraftValue } from '../../../../app/renderer/state/scenario-state.ts';
import { fakeClock, fakeSessions, settle } from './fake-run.ts';

function file(text: string, siblings: Readonly<Record<string, Uint8Array>> = {}): OpenedFile {
  return {
    name: 'mine.json',
    bytes: new TextEncoder().encode(text),
    siblings: (name) => Promise.resolve(siblings[name]),
  };
}

const VALID = '{"version": 1, "name": "mine", "methods": [{"kind": "letkf"}]}';
let opened: ReturnType<typeof fakeSessions>['opened'];

beforeEach(async () => {
  const fake = fakeSessions();
  opened = fake.opened;
  setRunController(createRunController(fake.open, { clock: fakeClock() }));
  markSaved('earlier.json');
  await openFile(file(VALID));
  notices.value = [];
});

describe('opening a file', () => {
  it('runs what is in it', () => {
    expect(opened.map(({ scenario }) => scenario.name)).toStrictEqual(['mine']);
    expect(origin.value).toMatchObject({ name: 'mine.json', kind: 'file' });
  });

  it('tells each problem with its line and path, and what was running goes on', async () => {
    const wrong = '{\n  "version": 1,\n  "name": "mine",\n  "grid": { "nx": -4 },\n  "sed": 3\n}';
    await expect(openFile(file(wrong))).resolves.toBe(false);
    const [notice] = notices.value;
    expect(notice.kind).toBe('error');
    expect(notice.lines.some((line) => line.startsWith('mine.json:4:') && line.includes('grid.nx'))).toBe(true);
    expect(notice.lines.some((line) => line.includes('did you mean "seed"'))).toBe(true);
    expect(notice.lines.at(-1)).toBe('What was running goes on.');
    expect(opened).toHaveLength(1);
    expect(opened[0].isDisposed).toBe(false);
  });

  it.each(['', 'not JSON', '[]', '\u0000'])('tells what is wrong with %j', async (text) => {
    await expect(openFile(file(text))).resolves.toBe(false);
    expect(notices.value).toHaveLength(1);
  });

  it('names a file that is missing beside it', async () => {
    const raw = { ...JSON.parse(VALID), model: { bathymetry: { kind: 'file', file: 'bed.npy' } } };
    await expect(openFile(file(JSON.stringify(raw)))).resolves.toBe(false);
    expect(notices.value[0].lines[0]).toContain('bed.npy');
  });
});

describe('opening several', () => {
  const SLOW = JSON.stringify({
    ...JSON.parse(VALID),
    name: 'slow',
    grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
    model: { scheme: 'central-upwind', bathymetry: { kind: 'file', file: 'bed.npy' } },
  });
  const BED = formatNpy([4, 4], new Float64Array(16).fill(-2));

  it('ends with the one that was asked for last, whichever is ready first', async () => {
    const answers: ((bytes: Uint8Array) => void)[] = [];
    const slow = openFile({
      ...file(SLOW),
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
    expect(origin.value.name).toBe(`${FIRST_SCENARIO}.json`);
    await expect(openFile(file(SLOW, { 'bed.npy': BED }))).resolves.toBe(true);
  });

  it('gives up one that was ready while the person was asked about another', async () => {
    setDraftValue('seed', 77);
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
    setDraftValue('seed', 77);
    const opening = openBundled(FIRST_SCENARIO);
    await settle();
    question.value?.answer('cancel');
    await expect(opening).resolves.toBe(false);
    expect(opened).toHaveLength(1);
  });

  it('are given up when the person says so', async () => {
    setDraftValue('seed', 77);
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
    for (const { name } of BUNDLED_SCENARIOS) expect(bundledScenario(name).scenario.name).toBe(name);
  });
});
