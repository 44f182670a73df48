/** The page's GPU as journeys need it: SwiftShader taken for one, and devices that can be lost. */

/**
 * The share by which the errors of a run on a GPU may differ from those on `wasm`: an operator differs by 1.2e-6, and up to a hundred
 * of them follow on each other before an error is written down.
 */
export const ROUNDING = 1e-4;

/** Runs in the page: makes the adapter look like hardware, so that `auto` takes it. */
export function asHardware(): void {
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
}

/** Runs in the page: keeps the devices that are opened. */
export function keepDevices(): void {
  const { prototype } = GPUAdapter;
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

/** Runs in the page: the device that was opened last is gone. */
export function destroyLastDevice(): void {
  const { devices } = globalThis as unknown as { readonly devices: readonly GPUDevice[] };
  devices.at(-1)?.destroy();
}
