/** Firefox, driven by WebDriver BiDi. */
import puppeteer from 'puppeteer-core';
import type { Browser, BrowserOptions } from './browser.ts';

/** The program as Debian names it. */
export const FIREFOX = 'firefox-esr';
/** An evaluation has no answer when the page is loaded again meanwhile. */
const ANSWERED_WITHIN_MILLISECONDS = 10_000;

const PREFERENCES = {
  // WebGL on the processor, which Firefox would refuse.
  'webgl.force-enabled': true,
  // Without it a window that is not the active one has no keys; no window manager makes it active.
  'focusmanager.testmode': true,
  'ui.prefersReducedMotion': 1,
  'browser.download.folderList': 2,
  'browser.download.useDownloadDir': true,
};

export async function startFirefox({ display, home, downloads }: BrowserOptions): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: `/usr/bin/${FIREFOX}`,
    headless: false,
    env: { PATH: process.env['PATH'], HOME: home, DISPLAY: display, LIBGL_ALWAYS_SOFTWARE: '1', LANG: 'C.UTF-8' },
    extraPrefsFirefox: { ...PREFERENCES, 'browser.download.dir': downloads },
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
  return {
    open: async (url) => void (await page.goto(url)),
    evaluate(body, ...values) {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_resolve, reject) => {
        timer = setTimeout(() => reject(new Error('the page has not answered')), ANSWERED_WITHIN_MILLISECONDS);
      });
      const answer = page.evaluate((body, values) => new Function(...['a', 'b', 'c'], body)(...values), body, values);
      return Promise.race([answer, late]).finally(() => clearTimeout(timer));
    },
    async press({ key, held }) {
      if (held) await page.keyboard.down(held);
      await page.keyboard.press(key as Parameters<typeof page.keyboard.press>[0]);
      if (held) await page.keyboard.up(held);
    },
    type: (text) => page.keyboard.type(text),
    click: ({ x, y }) => page.mouse.click(x, y),
    screenshot: () => page.screenshot(),
    errors: () => errors,
    close: () => browser.close(),
  };
}
