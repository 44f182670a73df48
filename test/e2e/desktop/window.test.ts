/** The window: nothing covers anything at the smallest size, and nothing keeps people out in either theme. */
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, smallScenario, withBrowser } from './laboratory.ts';

/** @returns the controls whose middle lies in the window and is covered by something else, in words */
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
      return isItself ? [] : [`${name} lies under ${top.tagName}.${top.getAttribute('class') ?? ''}`];
    });
  });
}

/** @returns how many pixels of the page lie beyond the window */
async function overflow(page: Page): Promise<readonly [number, number]> {
  return page.evaluate(() => {
    const { scrollWidth, scrollHeight, clientWidth, clientHeight } = document.documentElement;
    return [scrollWidth - clientWidth, scrollHeight - clientHeight] as const;
  });
}

async function violations(page: Page, within?: string): Promise<readonly string[]> {
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations: found } = await (within === undefined ? builder : builder.include(within)).analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html}\n${failureSummary}`));
}

describe.runIf(hasHost)('the window', () => {
  withBrowser();

  it('is whole from a large size down to 1024 × 700', async () => {
    const laboratory = await openLaboratory({
      scenario: smallScenario('sizes', 30),
      width: 1440,
      height: 900,
    });
    const { page } = laboratory;
    await laboratory.reach(2);
    await laboratory.pause();
    for (const [width, height] of [
      [1440, 900],
      [1200, 800],
      [1024, 700],
    ]) {
      await page.setViewportSize({ width, height });
      await laboratory.water();
      expect(await overflow(page)).toEqual([0, 0]);
      expect(await coveredControls(page)).toEqual([]);
      const views = await laboratory.views();
      expect(views).toHaveLength(4);
      expect(Math.min(...views.map(({ box }) => Math.min(box.width, box.height)))).toBeGreaterThan(120);
    }
  });

  it.each(['dark', 'light'])('has no violation of accessibility in the %s theme', async (theme) => {
    const laboratory = await openLaboratory({ scenario: smallScenario('access', 30), width: 1440, height: 900 });
    const { page } = laboratory;
    await laboratory.reach(3);
    await laboratory.pause();
    await laboratory.command(theme === 'dark' ? 'Dark theme' : 'Light theme');
    await expect.poll(() => page.evaluate(() => document.documentElement.dataset['theme'])).toBe(theme);
    expect(await violations(page)).toEqual([]);
    for (const tab of ['Innovations', '3D-Var', 'Probes', 'Speed']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await violations(page, '.panel-evidence')).toEqual([]);
    }
    await page.getByRole('searchbox', { name: 'Filter the settings' }).fill('length');
    expect(await violations(page, '.panel-settings')).toEqual([]);
    for (const key of ['Control+k', 'Control+/']) {
      await page.keyboard.press(key);
      await page.getByRole('dialog').waitFor();
      expect(await violations(page, 'dialog')).toEqual([]);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await laboratory.command('Scenarios that ship');
    await page.getByRole('dialog', { name: 'Scenarios' }).waitFor();
    expect(await violations(page, 'dialog')).toEqual([]);
  });
});
