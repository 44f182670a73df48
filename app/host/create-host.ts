/** The host that this page has. */
import type { ShoalBridge } from '../preload/bridge.ts';
import { createBrowserHost } from './browser.ts';
import { createElectronHost } from './electron.ts';
import type { Host } from './host.ts';

export function createHost(): Host {
  const { shoal } = globalThis as { readonly shoal?: ShoalBridge };
  return shoal ? createElectronHost(shoal) : createBrowserHost();
}
