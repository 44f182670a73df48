/** With WebGPU on a software adapter, as an old Chromium has it: the engine computes with it, and the stage draws with what it can. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DRAW_ON_CPU } from '../e2e/desktop/chromium.ts';
import { smallScenario } from '../e2e/desktop/laboratory.ts';
import { countColours, shareOfDifference } from '../e2e/desktop/picture.ts';
import { startDesktop, withDesktop, writeFile } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron } from './host.ts';

describe.runIf(hasElectron)('WebGPU in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    const scenario = writeFile('gpu.json', JSON.stringify(smallScenario('gpu', 20)));
    desktop = await startDesktop({ words: [...DRAW_ON_CPU, scenario] });
  });
  afterAll(async () => {
    await desktop.kill();
  });

  it('draws', async () => {
    const { laboratory, page } = desktop;
    await laboratory.reach(2);
    await laboratory.pause();
    const water = await laboratory.water();
    expect(await page.locator('.stage-failure').count()).toBe(0);
    const [truth, free] = ['Truth', 'Free run'].map((name) => water.get(name));
    expect(truth && countColours(truth)).toBeGreaterThan(12);
    expect(desktop.errors).toEqual([]);
    expect(truth && free && shareOfDifference(truth, free)).toBeGreaterThan(0.1);
  });
});
