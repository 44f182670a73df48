/** The lessons that ship: every scenario has one, and each of its steps can be shown as it says. */
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { describeProblem } from '../../../engine/errors.ts';
import {
  changesBetween,
  lessonProblems,
  parseScenario,
  scenarioAtStep,
  validateScenario,
} from '../../../engine/scenario/index.ts';

const folder = new URL('../../../scenarios/', import.meta.url);
const names = readdirSync(folder).filter((name) => name.endsWith('.json') && !name.endsWith('.schema.json'));

describe.each(names)('the lesson of %s', (name) => {
  const { scenario, raw } = parseScenario(readFileSync(new URL(name, folder), 'utf8'), name);
  const { lesson } = scenario;

  it('has four to eight steps of one to three sentences, with names of their own', () => {
    expect(lesson.length).toBeGreaterThanOrEqual(4);
    expect(lesson.length).toBeLessThanOrEqual(8);
    expect(new Set(lesson.map(({ title }) => title)).size).toBe(lesson.length);
    for (const { text } of lesson) {
      expect(text).toMatch(/[.?]$/);
      expect(text.split(/[.?](?:\s|$)/).filter((sentence) => sentence !== '').length).toBeLessThanOrEqual(3);
    }
  });

  it('asks something, and ends with something to try', () => {
    expect(lesson.filter(({ question }) => question !== undefined).length).toBeGreaterThanOrEqual(1);
    expect(lesson.at(-1)?.task).toBeDefined();
  });

  it('shows a cycle at each step that there is, and views that fit', () => {
    expect(lessonProblems(scenario).map(describeProblem)).toStrictEqual([]);
    for (const { show } of lesson) expect(show.cycle ?? show.playTo).toBeDefined();
  });

  it('changes settings to other values than they have, without a warning of them', () => {
    const known = parseScenario(readFileSync(new URL(name, folder), 'utf8'), name).warnings.length;
    let before = scenario;
    lesson.forEach(({ show }, index) => {
      if (show.settings.length === 0) return;
      const at = validateScenario(scenarioAtStep(raw, lesson, index), name);
      expect(changesBetween(before, at.scenario)).toHaveLength(show.settings.length);
      expect(at.warnings.length).toBeLessThanOrEqual(known);
      before = at.scenario;
    });
  });
});
