/** A page stays the page: it goes nowhere else, opens no other window and embeds nothing. */
import { ORIGIN } from './protocol.ts';

interface Preventable {
  preventDefault(): void;
}

/** The part of Electron's `webContents` that is used. */
export interface GuardedContents {
  on(event: 'will-navigate' | 'will-redirect', listener: (event: Preventable, url: string) => void): unknown;
  on(event: 'will-frame-navigate' | 'will-attach-webview', listener: (event: Preventable) => void): unknown;
  setWindowOpenHandler(handler: () => { readonly action: 'deny' }): void;
}

/** Whether an address is the application's own page. @param development the development server's origin, where there is one */
export function isOwnAddress(address: string, development?: string): boolean {
  try {
    const { protocol, host, origin } = new URL(address);
    // Schemes of our own have the origin "null" outside a browser.
    return `${protocol}//${host}` === ORIGIN || (development !== undefined && origin === development);
  } catch {
    return false;
  }
}

function refuse(event: Preventable): void {
  event.preventDefault();
}

export function guardContents(contents: GuardedContents): void {
  contents.on('will-navigate', refuse);
  contents.on('will-redirect', refuse);
  contents.on('will-frame-navigate', refuse);
  contents.on('will-attach-webview', refuse);
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
}
