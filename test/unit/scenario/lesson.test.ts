/** Lessons in the scenario file: what is wrong with one is reported with its place, and none of it has a part in a run's numbers. */
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../../engine/errors.ts';
import { fingerprintOf } from '../../../engine/experiment/checkpoint.ts';
import {
  changesBetween,
  lessonProblems,
  parseScenario,
  scenarioAtStep,
  settingsAtStep,
  settingsText,
  validateScenario,
} from '../../../engine/scenario/index.ts';
import type { Scenario } from '../../../engine/scenario/index.ts';
import { hashCombination } from '../../../engine/sweep/plan.ts';

const STEP = { title: 'A step', text: 'Look at the water.' };

function rawWith(lesson: unknown): Record<string, unknown> {
  return {
    version: 3,
    name: 'taught',
    grid: { nx: 8, ny: 6, dx: 10, dy: 10 },
    observations: [
      { name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [2, 2] }, errorStandardDeviation: 0.1 },
    ],
    methods: [{ kind: 'free-run' }, { kind: 'letkf' }],
    experiment: { cycles: 10 },
    lesson,
  };
}

function scenarioWith(...steps: object[]): Scenario {
  return validateScenario(rawWith(steps.map((step) => ({ ...STEP, ...step }))), 'test').scenario;
}

/** What a file with such a step is refused for. */
function refused(step: unknown): string {
  try {
    parseScenario(JSON.stringify(rawWith([step])), 'taught.json');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return '';
}

describe('a lesson that is none', () => {
  const ask = (question: object) => ({ ...STEP, question: { text: 'Which?', why: 'So.', ...question } });
  it.each<readonly [what: string, step: unknown, said: string]>([
    ['a step without a title', { text: 'Look.' }, 'lesson[0].title: missing, allowed: text of 1 to 80 characters'],
    ['an empty text', { ...STEP, text: '' }, 'lesson[0].text: found ""'],
    ['a text of two lines', { ...STEP, text: 'One.\nTwo.' }, 'no control characters, line ends or marks of direction'],
    ['a text that is turned round', { ...STEP, text: 'to\u202Eleft' }, 'no control characters, line ends or marks'],
    ['an endless text', { ...STEP, text: 'a'.repeat(601) }, 'lesson[0].text: found'],
    ['a key that there is not', { ...STEP, titel: 'x' }, 'unknown key "titel"; did you mean "title"?'],
    ['a field that there is not', { ...STEP, show: { views: { fields: ['surfce'] } } }, 'did you mean "surface"?'],
    ['a camera that there is not', { ...STEP, show: { views: { cameraKind: 'orbital' } } }, 'did you mean "orbit"?'],
    [
      'two cameras',
      {
        ...STEP,
        show: {
          views: { cameraKind: 'wave', camera: { azimuth: 0, elevation: 1, distance: 1, targetX: 0, targetZ: 0 } },
        },
      },
      'lesson[0].show.views.cameraKind: found "wave": views have a camera or a kind of camera, not both',
    ],
    ['a tab that there is not', { ...STEP, show: { views: { evidence: 'error' } } }, 'did you mean "errors"?'],
    [
      'two cycles',
      { ...STEP, show: { cycle: 1, playTo: 2 } },
      'lesson[0].show.playTo: found 2: a step shows a cycle or',
    ],
    ['a cycle before all', { ...STEP, show: { cycle: -2 } }, 'lesson[0].show.cycle: found -2, allowed:'],
    ['one choice', ask({ choices: ['this'], answer: 0 }), 'lesson[0].question.choices: found a list of 1'],
    [
      'an answer beyond the choices',
      ask({ choices: ['a', 'b'], answer: 2 }),
      'question.answer: found 2: there is no such',
    ],
    ['a setting without a value', { ...STEP, show: { settings: [{ path: 'seed' }] } }, 'settings[0].value'],
    ['an X-ray of nothing', { ...STEP, show: { views: { xray: { kind: 'ray' } } } }, 'lesson[0].show.views.xray.kind'],
    [
      'impacts beside an X-ray',
      { ...STEP, show: { views: { xray: { kind: 'observation', index: 0 }, impact: {} } } },
      'lesson[0].show.views.impact: found an object: views have an X-ray or an impact, not both',
    ],
    [
      'the impact on an analysis against itself',
      { ...STEP, show: { views: { impact: { lead: 0, verification: 'analysis' } } } },
      'lesson[0].show.views.impact.verification: found "analysis": an analysis is compared with the truth alone',
    ],
    [
      'an X-ray with an error of 0',
      { ...STEP, show: { views: { xray: { kind: 'observation', index: 0, errorStd: 0 } } } },
      'lesson[0].show.views.xray.errorStd: found 0, allowed:',
    ],
  ])('with %s is reported with its place, what was found and what is allowed', (_what, step, said) => {
    const told = refused(step);
    expect(told).toContain('taught.json:1:');
    expect(told).toContain(said);
  });

  it('is not looked at step by step if there are too many', () => {
    const steps = Array.from({ length: 33 }, () => ({ text: 1 }));
    expect(() => parseScenario(JSON.stringify(rawWith(steps)), 'taught.json')).toThrow(
      'lesson: found 33 entries, allowed: a list of 0 to 32',
    );
  });
});

/** Why steps of a lesson cannot be shown. */
function problemsOf(...steps: object[]): string[] {
  return lessonProblems(scenarioWith(...steps)).map(describeProblem);
}

describe('a step that does not fit the scenario', () => {
  it('hinders no run, but is warned of', () => {
    const raw = rawWith([{ ...STEP, show: { cycle: 10 } }]);
    expect(validateScenario(raw, 'test').warnings.map(describeProblem)).toContain(
      'lesson[0].show.cycle: found 10, allowed: at most 9, the run’s last cycle',
    );
  });

  it.each<readonly [what: string, show: object, said: string]>([
    ['plays beyond the end', { playTo: 12 }, 'show.playTo: found 12, allowed: at most 9'],
    ['pins a probe outside', { views: { probes: [{ id: 1, x: 8, y: 0 }] } }, 'show.views.probes[0]: found x 8, y 0'],
    ['cuts outside', { views: { crossSection: { from: { x: 0, y: 6 }, to: { x: 1, y: 1 } } } }, 'crossSection.from'],
    ['points at what is not there', { pointsAt: ['truth', 'letk'] }, 'show.pointsAt[1]: found "letk", allowed:'],
    ['hides a method that is not there', { views: { hiddenMethods: ['letk'] } }, 'did you mean "letkf"?'],
    ['subtracts a method that is not there', { views: { difference: '3dvra' } }, 'views.difference: found "3dvra"'],
    [
      'asks about a point outside',
      { views: { xray: { kind: 'point', x: 9, y: 0, variable: 'h' } } },
      'views.xray: found',
    ],
    [
      'asks about no variable',
      { views: { xray: { kind: 'point', x: 1, y: 0, variable: 'q' } } },
      'xray.variable: found',
    ],
    [
      'asks about times without 4D-Var',
      { views: { xray: { kind: 'point', x: 1, y: 0, variable: 'h', times: { field: 1, cell: 0 } } } },
      'xray.times: found times, allowed: none in a scenario without 4D-Var',
    ],
    ['asks about no observation', { views: { xray: { kind: 'observation', index: 99 } } }, 'xray.index: found 99'],
    [
      'asks about impacts that no method has',
      {
        settings: [{ path: 'methods[1]', value: { kind: 'nudging' } }],
        views: { impact: {} },
      },
      'views.impact: found an impact, allowed: none without an ensemble filter',
    ],
    ['changes what there is not', { settings: [{ path: 'methods[1].inflaton', value: 1 }] }, 'unknown key "inflaton"'],
    ['sets what is not allowed', { settings: [{ path: 'methods[1].inflation', value: -1 }] }, 'found -1, allowed:'],
    ['sets what does not go together', { settings: [{ path: 'background.members', value: 1 }] }, 'at least 2'],
  ])('because it %s', (_what, show, said) => {
    expect(problemsOf({ show })).toStrictEqual([expect.stringContaining(said)]);
  });

  it('is judged by what the steps before it have changed', () => {
    const longer = { show: { settings: [{ path: 'experiment.cycles', value: 20 }] } };
    expect(problemsOf(longer, { show: { cycle: 15 } })).toStrictEqual([]);
    expect(problemsOf({ show: { cycle: 15 } }, longer)).toHaveLength(1);
  });
});

describe('what a lesson changes', () => {
  const inflated = { show: { settings: [{ path: 'methods[1].inflation', value: 1.3 }] } };
  const fewer = { show: { settings: [{ path: 'background.members', value: 5 }] } };

  it('holds from its step on, and leaves the scenario itself as it is', () => {
    const { lesson } = scenarioWith({}, inflated, {}, fewer);
    const raw = rawWith([]);
    expect(settingsAtStep(lesson, 0)).toStrictEqual([]);
    expect(settingsAtStep(lesson, 2).map(({ path }) => path)).toStrictEqual(['methods[1].inflation']);
    expect(scenarioAtStep(raw, lesson, 3)).toMatchObject({
      background: { members: 5 },
      methods: [{}, { inflation: 1.3 }],
    });
    expect(raw).toStrictEqual(rawWith([]));
  });

  it('is no part of a fingerprint, a sweep’s hash or what settings two scenarios have', () => {
    const [without, taught] = [scenarioWith(), scenarioWith({}, inflated)];
    const backend = { name: 'wasm', adapter: 'test' } as const;
    expect(fingerprintOf(taught, backend, 3)).toBe(fingerprintOf(without, backend, 3));
    const origin = { backend, versions: { shoal: '1' } };
    const hashOf = (scenario: Scenario): string => hashCombination(scenario, ['letkf'], {}, origin).withSeed(1);
    expect(hashOf(taught)).toBe(hashOf(without));
    expect(settingsText(taught)).toBe(settingsText(without));
    expect(changesBetween(without, taught).map(({ effect }) => effect)).toStrictEqual(['label']);
  });
});
