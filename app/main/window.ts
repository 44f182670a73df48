/** The window: what it may do is as little as the page needs. */
import { OWN_WINDOW } from '../preload/bridge.ts';
import { ORIGIN } from './protocol.ts';

interface Preventable {
  preventDefault(): void;
}

/**
 * A page stays the page: it goes nowhere else, opens no other window and embeds nothing. Only the development server's page
 * may load itself again, which is how it shows what was changed.
 *
 * The part of Electron's `webContents` that is used.
 */
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

/** A window that the page asks for, as Electron describes it. */
interface AskedWindow {
  readonly url: string;
  readonly frameName: string;
}

type OpenAnswer =
  | { readonly action: 'deny' }
  | { readonly action: 'allow'; readonly overrideBrowserWindowOptions: OwnWindowOptions };

/**
 * Lets the page show its panels in windows of their own: blank ones of its own making, whose names say so. They have the page's
 * sandbox and none of its bridge, go nowhere (`guardContents`), and end with it.
 *
 * @param window the part of Electron's `BrowserWindow` that is used
 */
export function allowOwnWindows(window: {
  readonly webContents: {
    setWindowOpenHandler(handler: (asked: AskedWindow) => OpenAnswer): void;
    on(event: 'did-create-window', listener: (created: OwnWindow) => void): unknown;
    on(event: 'render-process-gone', listener: () => void): unknown;
  };
  on(event: 'closed', listener: () => void): unknown;
}): void {
  const { webContents } = window;
  const opened = new Set<OwnWindow>();
  const end = (): void => {
    for (const each of opened) each.destroy();
  };
  webContents.setWindowOpenHandler(({ url, frameName }) =>
    url === 'about:blank' && frameName.startsWith(OWN_WINDOW)
      ? { action: 'allow', overrideBrowserWindowOptions: OWN_WINDOW_OPTIONS }
      : { action: 'deny' },
  );
  webContents.on('did-create-window', (created) => {
    opened.add(created);
    created.on('closed', () => opened.delete(created));
  });
  webContents.on('render-process-gone', end);
  window.on('closed', end);
}

interface OwnWindow {
  on(event: 'closed', listener: () => void): unknown;
  destroy(): void;
}

/** The part of Electron's session that is used. */
export interface PermissionSession {
  setPermissionRequestHandler(
    handler: (contents: unknown, permission: string, answer: (granted: boolean) => void) => void,
  ): void;
  setPermissionCheckHandler(handler: (contents: unknown, permission: string) => boolean): void;
  setDevicePermissionHandler(handler: () => boolean): void;
  setDisplayMediaRequestHandler(handler: ((request: unknown, answer: (streams: null) => void) => void) | null): void;
}

/** The stage fills the screen; nothing else that a page can ask for is needed. */
function isNeeded(permission: string): boolean {
  return permission === 'fullscreen';
}

export function refusePermissions(session: PermissionSession): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isNeeded(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isNeeded(permission));
  session.setDevicePermissionHandler(() => false);
  // An answer without streams would be an error in this process; none at all is a refusal.
  session.setDisplayMediaRequestHandler((_request, answer) => answer(null));
}

/** Options of `BrowserWindow` that are used. */
export interface WindowOptions {
  readonly width: number;
  readonly height: number;
  readonly minWidth: number;
  readonly minHeight: number;
  readonly show: boolean;
  readonly title: string;
  readonly backgroundColor: string;
  readonly webPreferences: WebPreferences & { readonly preload: string };
}

type OwnWindowOptions = Pick<WindowOptions, 'minWidth' | 'minHeight' | 'backgroundColor'> & {
  readonly autoHideMenuBar: true;
  readonly webPreferences: WebPreferences & { readonly preload: undefined };
};

interface WebPreferences {
  readonly sandbox: true;
  readonly contextIsolation: true;
  readonly nodeIntegration: false;
  readonly nodeIntegrationInWorker: false;
  readonly nodeIntegrationInSubFrames: false;
  readonly webSecurity: true;
  readonly allowRunningInsecureContent: false;
  readonly experimentalFeatures: false;
  readonly webviewTag: false;
  readonly navigateOnDragDrop: false;
  readonly spellcheck: false;
  readonly backgroundThrottling: boolean;
}

const WEB_PREFERENCES: WebPreferences = {
  sandbox: true,
  contextIsolation: true,
  nodeIntegration: false,
  nodeIntegrationInWorker: false,
  nodeIntegrationInSubFrames: false,
  webSecurity: true,
  allowRunningInsecureContent: false,
  experimentalFeatures: false,
  webviewTag: false,
  navigateOnDragDrop: false,
  spellcheck: false,
  // A run continues while another window is in front.
  backgroundThrottling: false,
};

const BACKGROUND = '#0e1116';

const OWN_WINDOW_OPTIONS: OwnWindowOptions = {
  minWidth: 320,
  minHeight: 240,
  backgroundColor: BACKGROUND,
  autoHideMenuBar: true,
  webPreferences: { ...WEB_PREFERENCES, preload: undefined },
};

/** @param preload path of the preload script */
export function windowOptions(preload: string): WindowOptions {
  return {
    width: 1440,
    height: 900,
    minWidth: 1024,
    minHeight: 700,
    // Shown when the first frame is there: no white flash.
    show: false,
    title: 'Shoal',
    backgroundColor: BACKGROUND,
    webPreferences: { ...WEB_PREFERENCES, preload },
  };
}
