/** A picture of the desktop window with its menu, in the middle of the first run: `npm run screenshots`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatPng } from '../../app/files/png.ts';
import { startDesktop, withDesktop } from './desktop.ts';
import { hasElectron, pictureOfScreen, ROOT } from './host.ts';

/** The ring of waves is whole then, and the LETKF has found it. */
const CYCLE = 7;

/** Reads an XWD file of 32 bits a pixel, which Xvfb keeps. @returns its picture */
function readXwd(bytes: Buffer): { readonly width: number; readonly height: number; readonly rgb: Uint8Array } {
  const field = (index: number): number => bytes.readUInt32BE(4 * index);
  const [headerBytes, width, height, lineBytes, colours] = [0, 4, 5, 12, 19].map(field);
  const start = headerBytes + 12 * colours;
  const rgb = new Uint8Array(3 * width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [from, to] = [start + y * lineBytes + 4 * x, 3 * (y * width + x)];
      rgb.set([bytes[from + 2], bytes[from + 1], bytes[from]], to);
    }
  }
  return { width, height, rgb };
}

describe.runIf(hasElectron)('the picture of the window', () => {
  withDesktop();

  it('is taken from the screen', async () => {
    const { application, laboratory, page } = await startDesktop();
    await application.evaluate(({ BrowserWindow }) => {
      BrowserWindow.getAllWindows()[0]?.setBounds({ x: 0, y: 0, width: 1440, height: 900 });
    });
    await laboratory.reach(CYCLE + 4);
    await laboratory.pause();
    await page.getByRole('textbox', { name: 'Cycle' }).fill(String(CYCLE));
    await page.keyboard.press('Enter');
    await page.evaluate(() => {
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    });
    await laboratory.water();
    const picture = await pictureOfScreen();
    if (picture === undefined) throw new Error('the picture is taken from Xvfb');
    const { width, height, rgb } = readXwd(readFileSync(picture));
    expect([width, height]).toEqual([1440, 900]);
    writeFileSync(join(ROOT, 'assets', 'screenshots', 'window.png'), formatPng(width, height, rgb));
  });
});
