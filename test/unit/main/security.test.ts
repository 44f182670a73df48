/**
 * Electron's security checklist. The numbers are those of its documentation, and each item has the tests that name it:
 *
 *  1 only secure content           the page is app://, and the policy names no other origin; the packaged page asks for none
 *  2 no Node in the page           the window's options
 *  3 context isolation             the window's options; what the preload script gives away is item 20's
 *  4 sandbox                       the window's options, and all windows before the application is ready
 *  5 permission requests           refused: asked for, looked up, devices, screens
 *  6 webSecurity                   the window's options
 *  7 content security policy       every answer of app:// and of the local server; loosened while developing, not for scripts
 *  8 no insecure content           the window's options
 *  9 no experimental features      the window's options; of Chromium's switches only WebGPU's, when asked for
 * 10 no Blink features             the window's options and the switches
 * 11 no allowpopups                there is no webview, in the page or in the window's options
 * 12 webview options              a webview is never attached
 * 13 navigation                    refused, in every web contents
 * 14 new windows                   refused in every web contents; blank ones for the page's own panels are allowed
 * 15 openExternal                  not used
 * 16 a current Electron            pinned, installed as pinned, and of a line that is looked after
 * 17 senders of messages           the top frame of the own page; what it says is validated (calls.test.ts)
 * 18 no file://                    app://, which reads its folder and nothing else (protocol.test.ts)
 * 19 fuses                         configured here; blown in test/package
 * 20 no Electron API in the page   the bridge gives functions of ours, and no event of Electron's (calls.test.ts)
 */
import { EventEmitter } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OFFER_WEBGPU } from '../../../app/main/graphics.ts';
import { allowOwnWindows, guardContents, refusePermissions, windowOptions } from '../../../app/main/window.ts';
import type { GuardedContents, PermissionSession } from '../../../app/main/window.ts';
import { PAGE } from '../../../app/main/protocol.ts';
import { securityHeaders } from '../../../app/server/headers.ts';

const root = new URL('../../..', import.meta.url).pathname;
const { webPreferences } = windowOptions('/preload.cjs');
const entry = readFileSync(join(root, 'app/main/index.ts'), 'utf8');

function sourcesOf(folder: string): string {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && /\.(ts|tsx|html)$/.test(file.name))
    .map((file) => readFileSync(join(file.parentPath, file.name), 'utf8'))
    .join('\n');
}

const mainSources = sourcesOf('app/main') + sourcesOf('app/preload');

describe('the window', () => {
  it('1: loads only what ships with the application', () => {
    expect(PAGE).toBe('app://shoal/');
    const policy = securityHeaders()['Content-Security-Policy'];
    // WebAssembly may be compiled; text may not be evaluated.
    expect(policy?.replace("'wasm-unsafe-eval'", '')).not.toMatch(/https?:|\*|unsafe/);
  });

  it('2: has no Node in the page, its workers or its frames', () => {
    expect(webPreferences).toMatchObject({
      nodeIntegration: false,
      nodeIntegrationInWorker: false,
      nodeIntegrationInSubFrames: false,
    });
  });

  it('3: isolates the world of the preload script', () => {
    expect(webPreferences.contextIsolation).toBe(true);
  });

  it('4: puts the page into the sandbox, for all windows', () => {
    expect(webPreferences.sandbox).toBe(true);
    expect(entry).toContain('app.enableSandbox()');
  });

  it('6: keeps web security on', () => {
    expect(webPreferences.webSecurity).toBe(true);
  });

  it('8: allows no insecure content', () => {
    expect(webPreferences.allowRunningInsecureContent).toBe(false);
  });

  it('9: switches on no experimental feature; of Chromium’s, WebGPU on Linux where the person says so', () => {
    expect(webPreferences.experimentalFeatures).toBe(false);
    expect(OFFER_WEBGPU).toBe('enable-unsafe-webgpu');
    expect(mainSources.match(/appendSwitch\([^)]*\)/g)).toEqual(['appendSwitch(OFFER_WEBGPU)']);
    expect(mainSources.match(/appendSwitch|appendArgument/g)).toHaveLength(1);
  });

  it('10: switches on no Blink feature', () => {
    expect(webPreferences).not.toHaveProperty('enableBlinkFeatures');
    expect(mainSources).not.toMatch(/blink-?features/i);
  });

  it('11: has no webview that could open windows', () => {
    expect(webPreferences.webviewTag).toBe(false);
    expect(sourcesOf('app')).not.toMatch(/<webview|allowpopups/i);
  });

  it('12: attaches no webview, whatever its options', () => {
    const { listeners } = guarded();
    let prevented = 0;
    listeners.get('will-attach-webview')?.({ url: '', preventDefault: () => (prevented += 1) });
    expect(prevented).toBe(1);
  });

  it('starts at 1440 × 900 and goes down to 1024 × 700', () => {
    expect(windowOptions('x')).toMatchObject({ width: 1440, height: 900, minWidth: 1024, minHeight: 700, show: false });
    expect(webPreferences.preload).toBe('/preload.cjs');
  });
});

it('5: every permission but the full screen is refused, whether it is asked for or looked up, and every device and screen', () => {
  const refused: Record<string, unknown> = {};
  const session: PermissionSession = {
    setPermissionRequestHandler: (handler) => {
      for (const permission of ['media', 'fullscreen']) {
        handler({}, permission, (granted) => {
          refused[`request ${permission}`] = granted;
        });
      }
    },
    setPermissionCheckHandler: (handler) => {
      for (const permission of ['geolocation', 'fullscreen']) refused[`check ${permission}`] = handler({}, permission);
    },
    setDevicePermissionHandler: (handler) => {
      refused['device'] = handler();
    },
    setDisplayMediaRequestHandler: (handler) =>
      handler?.({}, (streams) => {
        refused['screen'] = streams;
      }),
  };
  refusePermissions(session);
  expect(refused).toEqual({
    'request media': false,
    'request fullscreen': true,
    'check geolocation': false,
    'check fullscreen': true,
    device: false,
    screen: null,
  });
});

describe('7: the security policy', () => {
  const { 'Content-Security-Policy': text } = securityHeaders();
  const policy = Object.fromEntries(
    text.split('; ').map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1).join(' ')]),
  );

  it('allows nothing that is not named', () => {
    expect(policy['default-src']).toBe("'none'");
    for (const directive of ['object-src', 'base-uri', 'form-action', 'frame-ancestors']) {
      expect(policy[directive]).toBe("'none'");
    }
  });

  it('runs scripts, workers and styles of the application alone, nothing inline and nothing evaluated', () => {
    expect(policy['script-src']).toBe("'self' 'wasm-unsafe-eval'");
    for (const directive of ['worker-src', 'style-src', 'connect-src', 'font-src']) {
      expect(policy[directive]).toBe("'self'");
    }
  });

  it.each(['shell/start.tsx', 'document/compute/run-worker.ts', 'features/reading/reading-worker.ts'])(
    'is not tried out by a library: %s configures zod before everything else to evaluate nothing',
    (file) => {
      const text = readFileSync(join(root, 'app', file), 'utf8');
      expect(/^import .*$/m.exec(text)?.[0]).toMatch(/^import '(\.\.\/)+workers\/strict-policy\.ts';$/);
    },
  );

  it('isolates the page from other origins, which gives it SharedArrayBuffer', () => {
    expect(securityHeaders()).toMatchObject({
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
      'Cross-Origin-Resource-Policy': 'same-origin',
      'X-Content-Type-Options': 'nosniff',
    });
  });

  it('is loosened for the development server alone: by its own styles and its own socket', () => {
    const { 'Content-Security-Policy': developing, ...others } = securityHeaders({ nonce: 'abc', port: 5173 });
    const more = developing.split('; ').filter((directive) => !text.split('; ').includes(directive));
    expect(more).toEqual([
      "style-src 'self' 'nonce-abc'",
      "connect-src 'self' ws://127.0.0.1:5173 ws://localhost:5173",
    ]);
    expect(securityHeaders()).toMatchObject(others);
    expect(text).not.toMatch(/ws:|nonce/);
  });
});

interface GuardedEvent {
  readonly url: string;
  preventDefault(): void;
}

function guarded(development?: string) {
  const listeners = new Map<string, (event: GuardedEvent) => void>();
  let answer: { readonly action: string } | undefined;
  const contents: GuardedContents = {
    on: (event: string, listener: (event: GuardedEvent) => void) => listeners.set(event, listener),
    setWindowOpenHandler: (handler) => {
      answer = handler();
    },
  };
  guardContents(contents, development);
  return { listeners, answer };
}

describe('13: a page', () => {
  const addresses = ['https://example.org/', 'file:///etc/passwd', 'app://other/', PAGE];
  it.each(['will-navigate', 'will-redirect', 'will-frame-navigate'])('is refused %s, anywhere', (event) => {
    let prevented = 0;
    const { listeners } = guarded();
    for (const url of addresses) listeners.get(event)?.({ url, preventDefault: () => (prevented += 1) });
    expect(prevented).toBe(addresses.length);
  });

  it('may load itself again from the development server, and go nowhere else from there', () => {
    const { listeners } = guarded('http://127.0.0.1:5173');
    const went: string[] = [];
    for (const url of ['http://127.0.0.1:5173/', 'http://127.0.0.1:5174/', 'https://example.org/']) {
      let prevented = false;
      listeners.get('will-navigate')?.({ url, preventDefault: () => (prevented = true) });
      if (!prevented) went.push(url);
    }
    expect(went).toEqual(['http://127.0.0.1:5173/']);
  });

  it('is guarded in every web contents there will ever be', () => {
    expect(entry).toMatch(/'web-contents-created', \(_event, contents\) => guardContents\(contents, development\)/);
  });
});

it('14: a page may open no window', () => {
  expect(guarded().answer).toEqual({ action: 'deny' });
});

describe('14: a panel in its own window', () => {
  type Handler = Parameters<Parameters<typeof allowOwnWindows>[0]['webContents']['setWindowOpenHandler']>[0];

  /** The window of the page, and what it does with events. */
  function mainWindow() {
    const events = new EventEmitter();
    const handlers: Handler[] = [];
    const webContents = Object.assign(events, { setWindowOpenHandler: (handler: Handler) => handlers.push(handler) });
    allowOwnWindows(Object.assign(new EventEmitter(), { webContents, on: events.on.bind(events) }));
    return { events, ask: handlers[0] };
  }

  it('is blank, bears the name of one, and has the sandbox without the bridge', () => {
    const { ask } = mainWindow();
    const answer = ask({ url: 'about:blank', frameName: 'shoal-panel-stage' });
    expect(answer).toMatchObject({
      action: 'allow',
      overrideBrowserWindowOptions: { webPreferences: { ...webPreferences, preload: undefined } },
    });
    for (const asked of [
      { url: 'https://example.org/', frameName: 'shoal-panel-stage' },
      { url: PAGE, frameName: 'shoal-panel-stage' },
      { url: 'about:blank', frameName: '' },
      { url: 'about:blank', frameName: 'other' },
    ]) {
      expect(ask(asked)).toEqual({ action: 'deny' });
    }
  });

  it.each(['closed', 'render-process-gone'])('ends with the page: %s', (event) => {
    const { events } = mainWindow();
    const ended: string[] = [];
    const open = (name: string): EventEmitter => {
      const own = Object.assign(new EventEmitter(), { destroy: () => ended.push(name) });
      events.emit('did-create-window', own);
      return own;
    };
    open('a');
    open('b').emit('closed');
    events.emit(event);
    expect(ended).toEqual(['a']);
  });
});

it('15: nothing is opened outside', () => {
  expect(mainSources).not.toMatch(/\bshell\.|openExternal/);
});

it('16: Electron is pinned, installed as pinned, and of a line that is looked after', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'));
  expect(devDependencies.electron).toBe(installed.version);
  expect(Number(installed.version.split('.')[0])).toBeGreaterThanOrEqual(45);
});

it('19: fuses are blown', async () => {
  const { default: configuration } = await import(join(root, 'electron-builder.config.mjs'));
  expect(configuration.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  });
});
