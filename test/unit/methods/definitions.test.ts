/** What is held of every kind of method, whatever it does: how it looks, what it says of itself, and what it starts from. */
import { describe, expect, it } from 'vitest';
import {
  createReferenceBackend,
  estimateEffort,
  estimateMemory,
  methodDefinition,
  METHODS,
  proposedMethod,
} from '../../../engine/index.ts';
import { createMethod } from '../../../engine/methods/index.ts';
import { basin, contextOf, method } from '../../../engine/check/assimilation/set-up.ts';
import { parsed, problemsWith } from '../scenario/problems-of.ts';

/** Relative luminance of a colour, as WCAG 2 defines it. @param colour `#rrggbb` */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

describe.each(METHODS.map(({ kind }) => kind))('the method %s', (kind) => {
  const definition = methodDefinition(kind);

  it('has a title and a description, each of one line', () => {
    for (const text of [definition.title, definition.shortTitle ?? definition.title, definition.description]) {
      expect(text).toMatch(/^\S.*\S$/);
    }
  });

  it('is drawn with 4.5:1 to white on light ground', () => {
    for (const [, light] of definition.appearance.shades) {
      expect(1.05 / (luminance(light) + 0.05)).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('is distinguished from the others without colour', () => {
    const others = METHODS.filter((other) => other.kind !== kind).map(({ appearance }) => appearance);
    expect(others.map(({ marker }) => marker)).not.toContain(definition.appearance.marker);
    expect(others.map(({ dash }) => dash)).not.toContain(definition.appearance.dash);
  });

  it('is all that its defaults say, once they are written out', () => {
    const [settings] = parsed({ methods: [{ kind }] }).methods;
    expect(parsed({ methods: [settings] }).methods).toEqual([settings]);
    expect(settings.label).toBe(kind);
  });

  it('takes memory and work that do not shrink with the grid', () => {
    const [small, large] = [32, 64].map((n) =>
      parsed({ methods: [{ kind }], grid: { nx: n, ny: n }, observations: [{}] }),
    );
    expect(estimateMemory(large, 8)).toBeGreaterThan(estimateMemory(small, 8));
    expect(estimateEffort(large).operations).toBeGreaterThan(estimateEffort(small).operations);
  });

  it('is proposed with settings that are allowed', () => {
    const scenario = parsed({ observations: [{ network: { kind: 'regular', stride: [2, 2] } }] });
    const proposed = proposedMethod(kind, scenario);
    expect(proposed['kind']).toBe(kind);
    expect(problemsWith({ methods: [proposed as { kind: typeof kind }] })).toEqual([]);
  });

  it('needs two members where it takes errors from their spread, and else one', () => {
    const problems = problemsWith({ methods: [{ kind }], background: { members: 1 } });
    expect(problems).toHaveLength(definition.trustsSpread ? 1 : 0);
  });
});

it('a method that takes so many observations is not made with more, wherever they come from', async () => {
  const backend = createReferenceBackend();
  const count = 4097;
  const nothing = new Float64Array(count);
  const observed = { x: nothing, y: nothing, variable: Array<string>(count).fill('h'), values: nothing };
  const context = await contextOf(backend, basin({ nx: 4, ny: 4 }), { ...observed, inverseErrorStd: nothing }, 2);
  await expect(createMethod(method({ kind: 'enkf' }), context)).rejects.toThrow(
    'enkf: found up to 4097 observations in one analysis, allowed: 4096 with the method "enkf"; observe fewer places',
  );
  context.dispose();
  backend.dispose();
});

it('a kind that there is not is refused with those that there are', () => {
  expect(() => methodDefinition('5dvar')).toThrow(
    /^found the kind 5dvar, known are free-run, 3dvar, 4dvar, letkf, enkf/,
  );
});
