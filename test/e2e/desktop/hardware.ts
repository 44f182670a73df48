/** SwiftShader as a GPU, so that a journey can be on the page's device. */

/** Runs in the page: makes the adapter look like hardware, so that `auto` takes it, and keeps the devices that are opened. */
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
