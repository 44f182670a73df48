/** Lessons: the two that are whole scenarios played from start to end by the keyboard, the others step by step, and one recorded. */
import { AxeBuilder } from '@axe-core/playwright';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseScenario } from '../../../engine/index.ts';
import type { LessonStep } from '../../../engine/index.ts';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { saved, textOf } from './saving.ts';

const folder = new URL('../../../scenarios/', import.meta.url);

function scenarioOf(name: string) {
  return parseScenario(readFileSync(new URL(`${name}.json`, folder), 'utf8'), name).scenario;
}

/** Played from start to end by the keyboard. */
const WHOLE = ['what-is-an-analysis', 'why-localise'];
/** A million cells are for a GPU. */
const TOO_LARGE = 'large';
const OTHERS = readdirSync(folder)
  .filter((file) => file.endsWith('.json') && !file.endsWith('.schema.json'))
  .map((file) => file.replace('.json', ''))
  .filter((name) => ![...WHOLE, TOO_LARGE].includes(name));

const strip = ({ page }: Laboratory) => page.getByRole('region', { name: 'Lesson', exact: true });

/** What of a step has to be on screen: its words, its cycle and its fields. */
async function seen(laboratory: Laboratory, { title, show }: LessonStep, index: number, count: number): Promise<void> {
  const { page } = laboratory;
  await expect
    .poll(() => strip(laboratory).innerText(), { timeout: PATIENCE })
    .toContain(`Step ${index + 1} of ${count}`);
  expect(await strip(laboratory).getByRole('heading').innerText()).toBe(title);
  await expect.poll(() => laboratory.cycle(), { timeout: PATIENCE }).toBe(show.cycle ?? show.playTo);
  // A lesson has the window: the bar with the field is not on screen.
  const field = page.locator('select[aria-label="Field"]').first();
  // With several rows each has a name of its own.
  const [only, ...others] = show.views.fields;
  const chosen = (): Promise<string> => field.inputValue({ timeout: 1000 }).catch(() => 'no field of that name');
  await expect.poll(async () => others.length > 0 || (await chosen()) === only, { timeout: PATIENCE }).toBe(true);
}

/** An X-ray is drawn on the water, with a bar of its own, unless the step asks what it would show. */
async function expectAnswers({ page }: Laboratory, { show, question }: LessonStep): Promise<void> {
  if (!show.views.xray || (question && show.views.phase === 'forecast')) return;
  const bar = page
    .locator('.colour-bar-title')
    .and(page.getByTitle(/of the background’s errors|if it were the only one/));
  await expect.poll(() => bar.count(), { timeout: PATIENCE }).toBeGreaterThan(0);
}

const heightOf = (laboratory: Laboratory): Promise<number> =>
  strip(laboratory).evaluate((element) => element.getBoundingClientRect().height);

/** Chooses what is right if a step asks something; the step says so at once. */
async function answerQuestion(laboratory: Laboratory, steps: readonly LessonStep[], index: number): Promise<void> {
  const { question, show } = steps[index];
  if (!question) return;
  const hidden = laboratory.page.locator('.evidence-withheld');
  const height = await heightOf(laboratory);
  await expect.poll(() => hidden.count(), { timeout: PATIENCE }).toBe(show.views.evidence === undefined ? 1 : 0);
  await strip(laboratory).getByRole('button', { name: question.choices[question.answer], exact: true }).click();
  await expect.poll(() => strip(laboratory).innerText(), { timeout: PATIENCE }).toContain('Right. ');
  await expect.poll(() => hidden.count(), { timeout: PATIENCE }).toBe(0);
  expect(await heightOf(laboratory), 'height of the strip after an answer').toBe(height);
}

async function expectAccessible({ page }: Laboratory): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([]);
}

describe.runIf(hasHost)('lessons', () => {
  withBrowser();

  it.each(WHOLE)('plays %s from start to end by the keyboard', async (name) => {
    const laboratory = await openLaboratory();
    const { page } = laboratory;
    const { title, lesson } = scenarioOf(name);
    await laboratory.command(title);
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe(title);
    await page.keyboard.press('t');
    for (const [index, step] of lesson.entries()) {
      if (index > 0) await page.keyboard.press(index % 2 === 0 ? 'PageDown' : 'ArrowRight');
      await seen(laboratory, step, index, lesson.length);
      await expectAnswers(laboratory, step);
      await answerQuestion(laboratory, lesson, index);
    }
    await expectAccessible(laboratory);
    await strip(laboratory).getByRole('button', { name: 'Try it yourself' }).click();
    // A number and its unit are joined.
    const words = await strip(laboratory).innerText();
    expect(words.replaceAll('\u00a0', ' ')).toContain(lesson.at(-1)?.task);
    await strip(laboratory).getByRole('button', { name: 'Continue the lesson' }).click();
    await strip(laboratory)
      .getByRole('button', { name: /^Finish$|^Put the scenario back$/ })
      .click();
    await expect.poll(() => strip(laboratory).count()).toBe(0);
  });

  it.each(OTHERS)('shows every step of %s', async (name) => {
    const laboratory = await openLaboratory();
    const { page } = laboratory;
    const { title, lesson } = scenarioOf(name);
    await laboratory.command(title);
    await expect.poll(() => laboratory.title(), { timeout: PATIENCE }).toBe(title);
    await page.keyboard.press('t');
    for (const [index, step] of lesson.entries()) {
      if (index > 0) await page.keyboard.press('PageDown');
      await expect
        .poll(() => strip(laboratory).getByRole('heading').innerText(), { timeout: PATIENCE })
        .toBe(step.title);
    }
    // The last step has all that those before it have changed.
    await seen(laboratory, lesson[lesson.length - 1], lesson.length - 1, lesson.length);
    // It has the most buttons, and the name of another lesson.
    const beyond = await page.evaluate(() => {
      // Nothing scrolls sideways: what is too wide is cut.
      const strips = [...document.querySelectorAll('.lesson, .frame-middle')];
      return Math.max(...strips.map((each) => each.getBoundingClientRect().right)) - window.innerWidth;
    });
    expect(beyond, 'pixels beyond the window').toBe(0);
    await page.keyboard.press('t');
    expect(await page.locator('.notice-error').count()).toBe(0);
  });

  it('is recorded from what is on screen, taken back, and saved with the scenario', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('lesson', 12) });
    const { page } = laboratory;
    await laboratory.reach(2);
    const cycle = await laboratory.pause();
    await page.getByRole('combobox', { name: 'Field', exact: true }).selectOption('error');
    await laboratory.command('Record a lesson step');
    const editor = page.getByRole('dialog', { name: 'Edit the lesson' });
    await editor.getByRole('textbox', { name: 'Title' }).fill('Where it is wrong');
    await editor.getByRole('textbox', { name: /^Text/ }).fill('Look at\nthe error.');
    await editor.getByRole('checkbox', { name: /question/ }).check();
    await editor.getByRole('textbox', { name: 'Question' }).fill('Why there?');
    await editor.getByRole('textbox', { name: 'Choice 1' }).fill('Because');
    await editor.getByRole('textbox', { name: 'Choice 2' }).fill('By chance');
    await editor.getByRole('textbox', { name: 'Why it is right' }).fill('It is so.');
    await expectAccessible(laboratory);
    await editor.getByRole('button', { name: 'Add the step' }).click();
    await expect.poll(() => editor.count()).toBe(0);
    await expect.poll(() => strip(laboratory).getByRole('heading').innerText()).toBe('Where it is wrong');
    expect(await laboratory.cycle()).toBe(cycle);

    const file = await saved(laboratory, () => laboratory.command('Save scenario'));
    const { lesson } = parseScenario(textOf(file), file.name).scenario;
    expect(lesson).toHaveLength(1);
    expect(lesson[0]).toMatchObject({
      title: 'Where it is wrong',
      text: 'Look at the error.',
      show: { cycle, views: { fields: ['error'] } },
      question: { choices: ['Because', 'By chance'], answer: 0 },
    });
    await page.keyboard.press('Control+z');
    await expect.poll(() => strip(laboratory).count()).toBe(0);
  });
});
