/** What these tests do with the page, and ask of it, in whatever browser it is. */
import { expect } from 'vitest';
import { middle, PATIENCE } from '../e2e/desktop/laboratory.ts';
import { cropped, readPng } from '../e2e/desktop/picture.ts';
import type { Box, Picture } from '../e2e/desktop/picture.ts';
import type { Browser, Point } from './browser.ts';

/** In the page: the first element that `a` selects and that is named `b`, if that is not empty. */
const FIND = `const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim();
const found = [...document.querySelectorAll(a)].find((element) => b === '' || nameOf(element) === b);`;

export interface Laboratory {
  /** The text of the first element; undefined if there is none. */
  text(selector: string): Promise<string | undefined>;
  /** Waits until an element's text fits. */
  sees(selector: string, text: string | RegExp): Promise<void>;
  /** Waits until there is no such element. */
  misses(selector: string): Promise<void>;
  /** Waits until a field has a value. */
  holds(selector: string, value: string): Promise<void>;
  /** Clicks an element, by its name if several are selected. */
  click(selector: string, name?: string): Promise<void>;
  /** Writes into a field, over what it holds, and presses Enter. */
  fill(selector: string, text: string): Promise<void>;
  /** Chooses a value of a select. */
  choose(selector: string, value: string): Promise<void>;
  /** Runs a command by its title, through the palette. */
  command(title: string): Promise<void>;
  cycle(): Promise<number>;
  /** Waits until a cycle of that number or a later one is on screen. */
  reach(cycle: number): Promise<void>;
  pause(): Promise<void>;
  /** The water in the middle of each view, by the view's name, of a picture of the page. */
  water(): Promise<ReadonlyMap<string, Picture>>;
}

function until(ask: () => Promise<unknown>) {
  return expect.poll(ask, { timeout: PATIENCE, interval: 100 });
}

export function laboratoryIn(browser: Browser): Laboratory {
  const evaluate = (body: string, selector: string, name = ''): Promise<unknown> =>
    browser.evaluate(`${FIND} ${body}`, selector, name);
  const text = async (selector: string): Promise<string | undefined> =>
    ((await evaluate('return found?.textContent ?? null;', selector)) as string | null) ?? undefined;
  const cycle = async (): Promise<number> =>
    Number(await evaluate("return found?.getAttribute('aria-valuenow') ?? 'none';", '[aria-label="Cycle on screen"]'));

  const sees = (selector: string, wanted: string | RegExp): Promise<void> =>
    until(() => text(selector)).toSatisfy((seen: string | undefined) => {
      if (seen === undefined) return false;
      return typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen);
    });

  async function click(selector: string, name?: string): Promise<void> {
    const middleOf = `found?.scrollIntoView({ block: 'nearest' });
      const box = found?.getBoundingClientRect();
      return box ? { x: box.x + box.width / 2, y: box.y + box.height / 2 } : null;`;
    let point: Point | null = null;
    await until(async () => {
      point = (await evaluate(middleOf, selector, name)) as Point | null;
      return point;
    }).not.toBeNull();
    if (point) await browser.click(point);
  }

  async function fill(selector: string, words: string): Promise<void> {
    await click(selector);
    await until(() => evaluate('return found === document.activeElement;', selector)).toBe(true);
    await evaluate('found.select();', selector);
    await browser.type(words);
    await browser.press('Enter');
  }

  function choose(selector: string, value: string): Promise<void> {
    const body = `const select = document.querySelector(a);
      if (!select) return null;
      select.value = b;
      select.dispatchEvent(new Event('change', { bubbles: true }));
      return select.value;`;
    return until(() => browser.evaluate(body, selector, value)).toBe(value);
  }

  async function command(title: string): Promise<void> {
    await browser.press('k', 'Control');
    await until(() => evaluate('return found === document.activeElement;', '[aria-label="Search commands"]')).toBe(
      true,
    );
    await browser.type(title);
    await sees('[role=option][aria-selected=true]', title);
    await browser.press('Enter');
  }

  const pauses = () => evaluate('return Boolean(found);', 'button', 'Pause');
  async function pause(): Promise<void> {
    if (await pauses()) await browser.press(' ');
    await until(pauses).toBe(false);
  }

  async function water(): Promise<ReadonlyMap<string, Picture>> {
    const frames = `return [...document.querySelectorAll(a)].map((frame) => {
      const { x, y, width, height } = frame.getBoundingClientRect();
      return { name: frame.querySelector('.view-name')?.textContent ?? '', box: { x, y, width, height } };
    });`;
    const views = (await browser.evaluate(frames, '.view-frame')) as { readonly name: string; readonly box: Box }[];
    const picture = readPng(await browser.screenshot());
    return new Map(views.map(({ name, box }) => [name, cropped(picture, middle(box))]));
  }

  return {
    text,
    sees,
    misses: (selector) => until(() => evaluate('return Boolean(found);', selector)).toBe(false),
    holds: (selector, value) => until(() => evaluate('return found?.value ?? null;', selector)).toBe(value),
    click,
    fill,
    choose,
    command,
    cycle,
    reach: (wanted) => until(cycle).toBeGreaterThanOrEqual(wanted),
    pause,
    water,
  };
}
