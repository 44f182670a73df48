import { describe, expect, it } from 'vitest';
import { parseScenario, ScenarioError, validateScenario } from '../../../../engine/index.ts';
import { LONGEST_LINK, packLink, readLink, writeLink } from '../../../../app/features/links/link.ts';
import type { LinkContent } from '../../../../app/features/links/link.ts';
import { BUNDLED_SCENARIOS, createCatalogue } from '../../../../app/document/scenario/bundled-scenarios.ts';

const catalogue = createCatalogue();

function contentOf(name: string, more: Partial<LinkContent> = {}): LinkContent {
  const { scenario, raw } = catalogue.bundledScenario(name);
  return { scenario, raw, cycle: 3, views: {}, ...more };
}

function linkTo(content: LinkContent): string {
  const link = writeLink(content, catalogue);
  if (link === undefined) throw new Error('there is no link');
  return link;
}

/** What is wrong with a link that says this, as people read it. */
function told(head: unknown, text?: string, name = 'one-stone'): readonly string[] {
  const written = typeof head === 'string' ? head : JSON.stringify(head);
  try {
    readLink(packLink(text === undefined ? written : `${written}\n${text}`)).check(
      catalogue.bundledScenario(name).scenario,
    );
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a link', () => {
  it('names a scenario that ships, and is short', () => {
    for (const { name } of BUNDLED_SCENARIOS) {
      const link = linkTo(contentOf(name));
      expect(link.length).toBeLessThan(100);
      expect(readLink(link)).toMatchObject({ scenario: { ships: name }, cycle: 3 });
    }
  });

  it.each(['one-stone', 'tsunami-harbour'])('spells %s out where a setting was changed', (name) => {
    const { raw } = catalogue.bundledScenario(name);
    const changed = { ...(raw as object), seed: 4321 };
    const { scenario } = validateScenario(changed, 'test');
    const link = linkTo(contentOf(name, { scenario, raw: changed }));
    expect(link.length).toBeLessThan(LONGEST_LINK / 2);
    const read = readLink(link).scenario;
    expect('text' in read && parseScenario(read.text, 'test').raw).toStrictEqual(changed);
  });

  it('holds what was changed while the scenario ran', () => {
    const place = { x: 12, y: 9, radius: 4 };
    const interventions = [
      { kind: 'setting', cycle: 2, path: 'methods[1].covariance.length', value: 5 },
      { kind: 'gauges', cycle: 3, variable: 'h', errorStandardDeviation: 0.02, add: [[3, 4]], remove: [] },
      { kind: 'drop', cycle: 3, ...place, height: 0.2, seenBy: 'each' },
    ];
    const raw = { ...(catalogue.bundledScenario('one-stone').raw as object), interventions };
    const { scenario } = validateScenario(raw, 'test');
    const read = readLink(linkTo(contentOf('one-stone', { scenario, raw }))).scenario;
    expect('text' in read && parseScenario(read.text, 'test').scenario.interventions).toStrictEqual(
      scenario.interventions,
    );
  });

  it('cannot hold the files that a scenario names', () => {
    const raw = {
      version: 3,
      name: 'bed',
      grid: { nx: 4, ny: 4, dx: 10, dy: 10 },
      model: { scheme: 'central-upwind', bathymetry: { kind: 'file', file: 'bed.npy' } },
    };
    const { scenario } = validateScenario(raw, 'test');
    expect(writeLink({ scenario, raw, cycle: 0, views: {} }, catalogue)).toBeUndefined();
  });

  it('may be longer than an address can be, for whoever writes it to say so', () => {
    const points = Array.from({ length: 9000 }, (_, index) => [(index * 7919) % 499, (index * 6007) % 491]);
    const raw = {
      version: 3,
      name: 'many',
      grid: { nx: 500, ny: 500, dx: 1, dy: 1 },
      observations: [{ name: 'gauges', network: { kind: 'points', points }, errorStandardDeviation: 0.1 }],
    };
    const { scenario } = validateScenario(raw, 'test');
    expect(linkTo({ scenario, raw, cycle: 0, views: {} }).length).toBeGreaterThan(LONGEST_LINK);
  });
});

describe('a link of somebody else', () => {
  it.each<readonly [what: string, head: unknown, said: string]>([
    ['no JSON', 'cycle 12', 'the link:1:1: not JSON'],
    ['nothing', '', 'the link: the file is empty; a link begins with a JSON object'],
    ['a list', [], 'the link:1:1: found'],
    ['no cycle', { ships: 'one-stone' }, 'cycle: missing, allowed:'],
    ['half a cycle', { ships: 'one-stone', cycle: 1.5 }, 'cycle: found 1.5, allowed:'],
    ['a cycle before all', { ships: 'one-stone', cycle: -2 }, 'cycle: found -2, allowed:'],
    ['a cycle after all', { ships: 'one-stone', cycle: 9999 }, 'cycle: found 9999, allowed: −1 to 29'],
    ['a scenario that does not ship', { ships: 'one-ston', cycle: 0 }, 'did you mean "one-stone"'],
    ['a key that there is not', { ships: 'one-stone', cycle: 0, them: 1 }, 'unknown key "them"'],
    ['no field', { ships: 'one-stone', cycle: 0, views: { fields: [] } }, 'views.fields: found'],
    ['a wrong field', { ships: 'one-stone', cycle: 0, views: { fields: ['surfce'] } }, 'did you mean "surface"'],
    [
      'too many rows',
      { ships: 'one-stone', cycle: 0, views: { fields: Array.from({ length: 4 }, () => 'speed') } },
      'views.fields',
    ],
    [
      'a probe outside',
      { ships: 'one-stone', cycle: 0, views: { probes: [{ id: 1, x: 64, y: 0 }] } },
      'views.probes[0]: found x 64, y 0, allowed: cells of the grid: x below 64',
    ],
    [
      'a cut that ends outside',
      { ships: 'one-stone', cycle: 0, views: { crossSection: { from: { x: 0, y: 0 }, to: { x: 1, y: 70 } } } },
      'views.crossSection.to: found x 1, y 70',
    ],
    [
      'a camera beneath the water',
      {
        ships: 'one-stone',
        cycle: 0,
        views: { camera: { azimuth: 0, elevation: -1, distance: 1, targetX: 0, targetZ: 0 } },
      },
      'views.camera.elevation: found -1, allowed:',
    ],
    [
      'a camera that is nowhere',
      '{"ships":"one-stone","cycle":0,"views":{"camera":{"azimuth":1e999,"elevation":1,"distance":1,"targetX":0,"targetZ":0}}}',
      'views.camera.azimuth',
    ],
    [
      'a range the wrong way',
      { ships: 'one-stone', cycle: 0, views: { lockedRanges: { speed: [2, 1] } } },
      'views.lockedRanges.speed: found',
    ],
    [
      'a tab that there is not',
      { ships: 'one-stone', cycle: 0, views: { evidence: 'error' } },
      'did you mean "errors"',
    ],
    [
      'a step beyond the lesson',
      { ships: 'one-stone', cycle: 0, lesson: { step: 9 } },
      "lesson.step: found 9, allowed: 1 to 6, the lesson's last",
    ],
    [
      'a step before the first',
      { ships: 'one-stone', cycle: 0, lesson: { step: 0 } },
      'lesson.step: found 0, allowed:',
    ],
    [
      'an X-ray outside',
      { ships: 'one-stone', cycle: 0, views: { xray: { kind: 'point', x: 99, y: 0, variable: 'h' } } },
      'views.xray: found x 99, y 0',
    ],
    [
      'a height that is not offered',
      { ships: 'one-stone', cycle: 0, views: { exaggeration: 3 } },
      'views.exaggeration: found 3',
    ],
  ])('that says %s reports where, what was found and what is allowed', (_what, head, said) => {
    expect(told(head).join('\n')).toContain(said);
  });

  it('is looked at no further where it says more than views can', () => {
    const fields = Array.from({ length: 100_000 }, () => 'speed');
    expect(told({ ships: 'one-stone', cycle: 0, views: { fields } })).toStrictEqual([
      expect.stringMatching(/^the link: found 8\d{5} characters before the scenario, allowed: 32768$/),
    ]);
  });

  it('names a scenario or spells it out, not both and not neither', () => {
    expect(told({ cycle: 0 })).toStrictEqual([expect.stringContaining('found no scenario, allowed:')]);
    expect(told({ ships: 'one-stone', cycle: 0 }, '{}')).toStrictEqual([
      expect.stringContaining('found two scenarios'),
    ]);
  });

  it('does not reach into what objects are made of', () => {
    readLink(
      packLink(
        '{"ships":"one-stone","cycle":0,"views":{"freeCameras":{"a":{"azimuth":0,"elevation":1,"distance":1,"targetX":0,"targetZ":0}}}}',
      ),
    );
    expect(told('{"ships":"one-stone","cycle":0,"__proto__":{"polluted":1}}').join('\n')).toContain('__proto__');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });
});
