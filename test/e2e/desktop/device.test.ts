/** The GPU: computing and drawing on one device, and losing it. */
import { describe, expect, it } from 'vitest';
import { hasHost, openLaboratory, PATIENCE, smallScenario, withBrowser } from './laboratory.ts';
import { countColours, shareOfDifference } from './picture.ts';

/** Makes SwiftShader look like hardware, so that `auto` takes it, and keeps the devices that the page opens. */
function asHardware(): void {
  const { prototype } = GPUAdapter;
  const described = Object.getOwnPropertyDescriptor(prototype, 'info');
  Object.defineProperty(prototype, 'info', {
    get(this: GPUAdapter) {
      const info = described?.get?.call(this) as GPUAdapterInfo;
      return {
        vendor: info.vendor,
        architecture: 'test',
        device: info.device,
        description: 'a GPU',
        isFallbackAdapter: false,
      };
    },
  });
  const devices: GPUDevice[] = [];
  Object.assign(globalThis, { devices });
  const opened = Object.getOwnPropertyDescriptor(prototype, 'requestDevice');
  Object.defineProperty(prototype, 'requestDevice', {
    async value(this: GPUAdapter, ...given: Parameters<GPUAdapter['requestDevice']>) {
      const device = (await opened?.value.apply(this, given)) as GPUDevice;
      devices.push(device);
      return device;
    },
  });
}

const destroyLast = (): void => {
  const { devices } = globalThis as unknown as { readonly devices: readonly GPUDevice[] };
  devices.at(-1)?.destroy();
};

describe.runIf(hasHost)('the GPU', () => {
  withBrowser();

  it('computes and draws on one device, and goes on when it is lost', async () => {
    const laboratory = await openLaboratory({
      scenario: smallScenario('device', 60),
      before: asHardware,
      expectedErrors: /device|lost|destroyed/i,
    });
    const { page } = laboratory;
    await laboratory.reach(2);
    expect(await page.locator('.backend').innerText()).toContain('WebGPU');
    const water = await laboratory.pause().then(() => laboratory.water());
    expect(Math.min(...[...water.values()].map(countColours))).toBeGreaterThan(12);
    const [truth, free] = [water.get('Truth'), water.get('Free run')];
    expect(truth && free && shareOfDifference(truth, free)).toBeGreaterThan(0.05);

    const before = await laboratory.cycle();
    await page.evaluate(destroyLast);
    await expect
      .poll(() => page.locator('.notice').allInnerTexts(), { timeout: PATIENCE })
      .toContainEqual(expect.stringContaining('The computing was lost; the run goes on'));
    const play = page.getByRole('button', { name: 'Play', exact: true }).last();
    await expect.poll(() => play.isEnabled(), { timeout: PATIENCE }).toBe(true);
    await play.click();
    await laboratory.reach(before + 2);
    await laboratory.pause();
    const again = await laboratory.water();
    expect([...again.keys()]).toEqual(['Truth', 'Free run', '3D-Var', 'LETKF']);
    expect(Math.min(...[...again.values()].map(countColours))).toBeGreaterThan(12);
  });
});
