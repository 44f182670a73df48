/** The first launch in Electron, with Chromium's own sandbox: it plays, and it draws. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { countColours, shareOfDifference } from '../e2e/desktop/picture.ts';
import { startDesktop, withDesktop } from './desktop.ts';
import type { Desktop } from './desktop.ts';
import { hasElectron } from './host.ts';

describe.runIf(hasElectron)('the first launch in Electron', () => {
  withDesktop();
  let desktop: Desktop;
  beforeAll(async () => {
    desktop = await startDesktop();
  });
  afterAll(async () => {
    await desktop.kill();
  });

  it('plays a comparison of truth and methods, and draws different water for each', async () => {
    const { laboratory } = desktop;
    await laboratory.atSpeed(4);
    await laboratory.reach(3);
    await laboratory.pause();
    expect(await laboratory.title()).toBe('One stone, nine gauges');
    const water = await laboratory.water();
    expect([...water.keys()]).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
    expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
    const [free, ring] = ['Free run', 'LETKF'].map((name) => water.get(name));
    expect(free && ring && shareOfDifference(free, ring)).toBeGreaterThan(0.05);
    expect(desktop.errors).toEqual([]);
  });
});
