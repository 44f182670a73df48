/**
 * A page stays the page: it goes nowhere else, opens no other window and embeds nothing. Only the development server's page
 * may load itself again, which is how it shows what was changed.
 */
import { ORIGIN } from './protocol.ts';

interface Preventable {
  preventDefault(): void;
}

/** The part of Electron's `webContents` that is used. */
export interface GuardedContents {
  on(
    event: 'will-navigate' | 'will-frame-navigate',
    listener: (event: Preventable & { readonly url: string }) => void,
  ): unknown;
  on(event: 'will-redirect' | 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  setWindowOpenHandler(handler: () => { readonly action: 'deny' }): void;
}

/** Whether an address is the application's own page. @param development the development server's origin, if there is one */
export function isOwnAddress(address: string, development?: string): boolean {
  try {
    const { protocol, host, origin } = new URL(address);
    // Schemes of our own have the origin "null" outside a browser.
    return `${protocol}//${host}` === ORIGIN || (development !== undefined && origin === development);
  } catch {
    return false;
  }
}

/** @returns the origin of the development server whose address was handed over, if it is one on this machine */
export function developmentOrigin(address: string | undefined): string | undefined {
  try {
    const { protocol, hostname, origin } = new URL(address ?? '');
    return protocol === 'http:' && (hostname === '127.0.0.1' || hostname === 'localhost') ? origin : undefined;
  } catch {
    return undefined;
  }
}

function refuse(event: Preventable): void {
  event.preventDefault();
}

/** @param development the development server's origin, if there is one */
export function guardContents(contents: GuardedContents, development?: string): void {
  const stay = (event: Preventable & { readonly url: string }): void => {
    const reloads = development !== undefined && isOwnAddress(event.url, development);
    if (!reloads) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-redirect', refuse);
  contents.on('will-attach-webview', refuse);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
