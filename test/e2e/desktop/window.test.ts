/** The window: nothing covers anything at the smallest size, and nothing keeps people out in either theme. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { isNightly } from '../../setup/nightly.ts';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';
import { countColours, cropped, readPng } from './picture.ts';
import type { Box } from './picture.ts';

const SMALLEST = [1024, 700] as const;
/** `npm test` looks at the narrowest size and at one theme, `npm run nightly` at all. */
const SIZES = isNightly ? ([[1440, 900], [1200, 800], SMALLEST] as const) : [SMALLEST];
const THEMES = isNightly ? ['dark', 'light'] : ['dark'];
const TABS = isNightly ? ['Innovations', 'Cost', 'Probes', 'Speed'] : ['Innovations'];

/** @returns the controls whose middle is in the window and is covered by something else, in words */
async function coveredControls(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll('button, select, input, [role=slider], [role=tab]');
    return [...controls].flatMap((control) => {
      const box = control.getBoundingClientRect();
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      const around: Element[] = [];
      for (let each = control.parentElement; each; each = each.parentElement) around.push(each);
      const clipped = around.some((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return getComputedStyle(element).overflow !== 'visible' && (x < left || x > right || y < top || y > bottom);
      });
      if (box.width < 2 || box.height < 2 || clipped) return [];
      const name = control.getAttribute('aria-label') ?? control.textContent ?? control.tagName;
      const top = document.elementFromPoint(x, y);
      if (!top) return [`${name} lies outside of the window`];
      const isItself = control.contains(top) || top.contains(control) || top.closest('label')?.contains(control);
      return isItself ? [] : [`${name} is under ${top.tagName}.${top.getAttribute('class') ?? ''}`];
    });
  });
}

/** @returns how many pixels of the page are beyond the window */
async function overflow(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight] as const;
  });
}

/** Everything over the stage that is read. */
const WORDS = '.view-label, .gnomon, .measures, .colour-bar-of-view';

interface Words {
  readonly name: string;
  readonly box: Box;
}

/** @returns what is read over the stage and where: words and lines without the room around them */
async function wordsOnStage(page: Page): Promise<readonly Words[]> {
  return page.locator(WORDS).evaluateAll((elements) =>
    elements.flatMap((element) => {
      const boxes = [...element.querySelectorAll('*')]
        .map((each) => each.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && height > 0);
      if (boxes.length === 0) return [];
      const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
      const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
      const name = `${element.className} ${element.textContent}`;
      return [{ name, box: { x: left, y: top, width: right - left, height: bottom - top } }];
    }),
  );
}

/** Whether two boxes share more than a pixel. */
function overlaps(a: Box, b: Box): boolean {
  return (
    Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x) > 1 &&
    Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y) > 1
  );
}

/** @returns pairs of words of which one is over the other, and words that leave the stage */
async function overlappingWords(page: Page): Promise<readonly string[]> {
  const words = await wordsOnStage(page);
  const stage = await page.locator('.stage-views').boundingBox();
  if (!stage) throw new Error('there is no stage');
  const leaves = ({ x, y, width, height }: Box): boolean =>
    x < stage.x - 1 ||
    y < stage.y - 1 ||
    x + width > stage.x + stage.width + 1 ||
    y + height > stage.y + stage.height + 1;
  return words.flatMap(({ name, box }, n) => [
    ...words.slice(n + 1).flatMap((other) => (overlaps(box, other.box) ? [`${name} over ${other.name}`] : [])),
    ...(leaves(box) ? [`${name} leaves the stage`] : []),
  ]);
}

/** @returns where the views end, pixels from the window's top */
async function stageFoot(page: Page): Promise<number> {
  const box = await page.locator('.stage-views').boundingBox();
  return box ? box.y + box.height : Number.NaN;
}

async function dismissAll(page: Page): Promise<void> {
  const dismissing = page.getByRole('button', { name: /^Dismiss/ });
  while ((await dismissing.count()) > 0) await dismissing.first().click();
}

/** Whether a notice is over the views. */
async function noticesOverStage(page: Page): Promise<boolean> {
  const [stage, notices] = [page.locator('.stage-views'), page.locator('.notices')];
  const [views, words] = [await stage.boundingBox(), await notices.boundingBox()];
  if (!views || !words) throw new Error('there is no notice, or no stage');
  return overlaps(views, words);
}

/** @returns texts that are cut off, and parts of the stage's bar that are not in its one line or too small to hit */
async function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const lines = document.querySelectorAll(
      '.view-name, .view-score, .stage-bar-line, .stage-select, .tabs, .figure-head h3, .top-bar, .timeline-end',
    );
    const cut = [...lines].flatMap((line) =>
      line.clientWidth > 0 && line.scrollWidth > line.clientWidth
        ? [`${line.className} ${line.textContent.slice(0, 40)} is cut off`]
        : [],
    );
    const bar = document.querySelector('.stage-bar')?.getBoundingClientRect() ?? new DOMRect();
    const controls = [...document.querySelectorAll('.stage-bar-line > :is(button, select), .stage-more > button')];
    const misplaced = controls.flatMap((control) => {
      const { top, bottom, width, height } = control.getBoundingClientRect();
      const name = control.getAttribute('aria-label') ?? '';
      const isCentred = Math.abs((top + bottom) / 2 - (bar.top + bar.bottom) / 2) < 2;
      return isCentred && Math.min(width, height) >= 24 ? [] : [`${name}: ${width} × ${height} at ${top}`];
    });
    return [...cut, ...misplaced];
  });
}

/** @returns words under which something is drawn; the canvas must be at rest */
async function drawnOverWords(page: Page): Promise<readonly string[]> {
  const words = await wordsOnStage(page);
  const show = (visibility: string): Promise<void> =>
    page.locator('.stage-overlays').evaluate((overlays: HTMLElement, wanted) => {
      overlays.style.visibility = wanted;
    }, visibility);
  await show('hidden');
  const picture = readPng(await page.screenshot({ animations: 'disabled' }));
  await show('');
  return words.flatMap(({ name, box: { x, y, width, height } }) => {
    // Two pixels at the views' edges belong to the lines between them.
    const box = {
      x: Math.ceil(x) + 2,
      y: Math.ceil(y) + 2,
      width: Math.floor(width) - 5,
      height: Math.floor(height) - 5,
    };
    return countColours(cropped(picture, box)) > 1 ? [name] : [];
  });
}

async function violations(page: Page, within?: string): Promise<readonly string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations: found } = await (within === undefined ? builder : builder.include(within)).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

describe.runIf(hasHost)('the window', () => {
  withBrowser();

  it('is whole down to 1024 × 700, and keeps words, water and notices clear of each other', async () => {
    const laboratory = await openLaboratory({ scenario: smallScenario('sizes', 60), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.atSpeed(4);
    await laboratory.reach(2);
    await laboratory.pause();
    for (const [width, height] of SIZES) {
      await page.setViewportSize({ width, height });
      await page.mouse.move(width / 2, 2);
      await laboratory.water();
      expect(await overflow(page)).toEqual([0, 0]);
      expect(await coveredControls(page)).toEqual([]);
      const views = await laboratory.views();
      expect(views).toHaveLength(4);
      expect(Math.min(...views.map(({ box }) => Math.min(box.width, box.height)))).toBeGreaterThan(120);
      expect(await wordsOnStage(page)).not.toHaveLength(0);
      expect(await overlappingWords(page)).toEqual([]);
      expect(await cutTexts(page)).toEqual([]);
      expect(await drawnOverWords(page)).toEqual([]);
      // A notice takes the strip under the views; unfolded it takes room from them, and covers none.
      const before = await stageFoot(page);
      await laboratory.command('Copy as command');
      await page.locator('.notice').waitFor();
      expect(await stageFoot(page)).toBe(before);
      expect(await noticesOverStage(page)).toBe(false);
      await page.getByRole('button', { name: 'Unfold the notices' }).click();
      await expect.poll(() => stageFoot(page)).toBeLessThan(before);
      expect(await noticesOverStage(page)).toBe(false);
      await dismissAll(page);
      await expect.poll(() => stageFoot(page)).toBe(before);
    }
    // Where each view has a range of its own, its bar is in a corner that is free.
    await page.getByRole('button', { name: 'More choices of the stage' }).click();
    await page.getByRole('combobox', { name: 'Range of colours' }).selectOption('auto');
    await page.getByRole('button', { name: 'More choices of the stage' }).click();
    await page.mouse.move(512, 2);
    await laboratory.water();
    // One bar serves the views whose ranges are the same.
    await expect.poll(() => page.locator('.colour-bar-of-view').count()).toBeGreaterThan(0);
    expect(await overlappingWords(page)).toEqual([]);
  });

  it.each(THEMES)('has no violation of accessibility in the %s theme', async (theme) => {
    const laboratory = await openLaboratory({ scenario: smallScenario('access', 30), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.atSpeed(4);
    await laboratory.reach(3);
    await laboratory.pause();
    await laboratory.command(theme === 'dark' ? 'Dark theme' : 'Light theme');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    expect(await violations(page)).toEqual([]);
    for (const tab of TABS) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await violations(page, '.panel-evidence')).toEqual([]);
    }
    await page.getByRole('button', { name: 'Show settings' }).click();
    await page.getByRole('searchbox', { name: 'Filter the settings' }).fill('length');
    expect(await violations(page, '.panel-settings')).toEqual([]);
    for (const key of ['Control+k', 'Control+/']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await violations(page, 'dialog')).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await laboratory.command('Bundled scenarios');
    await page.getByRole('dialog', { name: 'Scenarios' }).waitFor();
    expect(await violations(page, 'dialog')).toEqual([]);
  });
});
