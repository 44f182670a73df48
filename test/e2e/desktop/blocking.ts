/**
 * No answer to a user holds the page up for long: everything that can be asked of it is asked once, drawn in software, and the
 * longest task of the page's thread is reported. It wants a machine that does nothing else, so it is no part of the tests.
 */
import { describe, expect, it } from 'vitest';
import { openLaboratory, PATIENCE, withBrowser } from './laboratory.ts';
import type { Laboratory } from './laboratory.ts';
import { traceMainThread } from './main-thread.ts';

/** Nobody notices what is shorter, ms. */
const LONGEST = 50;
/** Beside what a step asks for the page may still draw its finest frame. */
const AFTERWARDS = 1500;

type Action = readonly [name: string, act: () => Promise<unknown>];

function actions(laboratory: Laboratory): readonly Action[] {
  const { page } = laboratory;
  const press =
    (...keys: readonly string[]) =>
    async () => {
      for (const key of keys) await page.keyboard.press(key);
    };
  const onStage =
    (...keys: readonly string[]) =>
    async () => {
      await page.getByRole('application').focus();
      await press(...keys)();
    };
  const field = (name: string): Action => [
    `field ${name}`,
    () => page.getByRole('combobox', { name: 'Field', exact: true }).selectOption(name),
  ];
  const drag = async (from: readonly [number, number], to: readonly [number, number]): Promise<void> => {
    const [first] = await laboratory.views();
    const { x, y, width, height } = first.box;
    await page.mouse.move(x + from[0] * width, y + from[1] * height);
    await page.mouse.down();
    await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 6 });
    await page.mouse.up();
  };
  const likelihood = page.getByRole('slider', { name: 'What the observation has read' });
  const iteration = page.getByRole('slider', { name: 'Iteration on the stage' });
  const grow = page.getByRole('button', { name: 'Let the increment grow' });
  return [
    [
      'the page is loaded',
      async () => {
        await page.reload();
        await laboratory.reach(4);
        await laboratory.pause();
      },
    ],
    ['X-ray of a point', onStage('Shift+ArrowLeft', 'ArrowUp', 'x')],
    ['its covariance', () => page.getByRole('button', { name: 'Covariance', exact: true }).click()],
    ['X-ray of an observation', press('Shift+X')],
    [
      'what if it had read that',
      async () => {
        await likelihood.focus();
        await press('Shift+ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight')();
      },
    ],
    ['a row of the influence', () => page.locator('.xray-influence').getByRole('button').nth(2).click()],
    ['the whole increment', () => page.getByRole('button', { name: 'Whole increment' }).click()],
    ['out of the X-ray', onStage('Escape')],
    ['the commands', press('Control+k')],
    ['away from them', press('Escape')],
    ['3D-Var from inside', () => laboratory.command('Look inside the minimisation')],
    ['its increment grows', () => grow.press('Enter')],
    [
      'without preconditioning',
      () => page.getByRole('combobox', { name: 'Minimisation on the stage' }).selectOption('Unpreconditioned'),
    ],
    [
      'back to the fields',
      async () => {
        await iteration.focus();
        await page.keyboard.press('Escape');
      },
    ],
    ...['error', 'spread', 'increment', 'speed', 'vorticity', 'depth', 'surface'].map(field),
    ['the brush', press('n')],
    ['gauges', () => drag([0.4, 0.45], [0.55, 0.55])],
    ['a cycle with them', press('.')],
    ['a drop', press('d')],
    ['dropped', () => drag([0.5, 0.5], [0.6, 0.5])],
    ['a cycle with it', press('.')],
    ['taken back', press('Control+z')],
    ['no tool', press('Escape')],
    ['what is forked', press('f')],
    [
      'a branch',
      async () => {
        await page.locator('dialog [data-path$="standardDeviation.h"] input').first().fill('0.3');
        await page.keyboard.press('Enter');
      },
    ],
    ['a cycle of both', press('.')],
    ['the runs', press('r')],
    ['no runs', press('r')],
    ['the scenarios', press('g')],
    ['no scenarios', press('Escape')],
    ['the check', () => laboratory.command('Check this installation…')],
    ['no check', press('Escape')],
    ['a report', () => laboratory.command('Write a report…')],
    ['a lesson', press('t')],
    ['its next step', press('PageDown')],
  ];
}

describe('what a user does', () => {
  withBrowser();

  it('holds the page up for less than can be seen', async () => {
    const laboratory = await openLaboratory({ width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(4);
    await laboratory.pause();
    const rest = async (): Promise<void> => {
      await page.waitForTimeout(AFTERWARDS);
      await page.locator('canvas[data-still]').waitFor({ timeout: PATIENCE });
    };
    await rest();
    const trace = await traceMainThread(page);
    for (const [name, act] of actions(laboratory)) {
      await trace.begin(name);
      await act();
      await rest();
    }
    const found = await trace.end();
    for (const { name, busy, elapsed } of found) {
      process.stderr.write(
        `${busy.toFixed(0).padStart(5)} ms busy ${elapsed.toFixed(0).padStart(6)} ms in all  ${name}\n`,
      );
    }
    expect(found.filter(({ busy }) => busy > LONGEST)).toEqual([]);
  });
});
