/** Firefox, driven by WebDriver BiDi. */
import { launch } from 'puppeteer-core';
import type { KeyInput } from 'puppeteer-core';
import { environmentOf } from './browser.ts';
import type { Browser, Surroundings } from './browser.ts';

/** Debian's Firefox. */
export const FIREFOX = '/usr/bin/firefox-esr';
/** An evaluation has no answer if the page is loaded again meanwhile. */
const ANSWERS_WITHIN_MILLISECONDS = 10_000;

const PREFERENCES = {
  // WebGL on the processor, which is refused otherwise.
  'webgl.force-enabled': true,
  // No window manager makes a window active, and only an active window has keys otherwise.
  'focusmanager.testmode': true,
  'ui.prefersReducedMotion': 1,
  'browser.download.folderList': 2,
};

export async function startFirefox(surroundings: Surroundings): Promise<Browser> {
  const browser = await launch({
    browser: 'firefox',
    executablePath: FIREFOX,
    headless: false,
    env: environmentOf(surroundings),
    extraPrefsFirefox: { ...PREFERENCES, 'browser.download.dir': surroundings.downloads },
    defaultViewport: null,
    args: ['--width=1440', '--height=900'],
    timeout: 120_000,
  });
  const [page] = await browser.pages();
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  // The console shows them, but its event does not have them.
  page.on('response', (response) => {
    if (response.status() >= 400) errors.push(`${response.status()} of ${response.url()}`);
  });
  return {
    async open(url) {
      await page.goto(url);
      // Without a window manager the window may count as hidden, and a hidden page gets no animation frames.
      await page.bringToFront();
    },
    evaluate(body, ...values) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the page has not answered')), ANSWERS_WITHIN_MILLISECONDS);
      });
      const answer = page.evaluate(`((a, b) => {${body}})(...${JSON.stringify(values)})`);
      return Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
    async press(key, held) {
      if (held) await page.keyboard.down(held);
      await page.keyboard.press(key as KeyInput);
      if (held) await page.keyboard.up(held);
    },
    type: (text) => page.keyboard.type(text),
    click: ({ x, y }) => page.mouse.click(x, y),
    screenshot: () => page.screenshot(),
    errors: () => Promise.resolve(errors),
    close: () => browser.close(),
  };
}
