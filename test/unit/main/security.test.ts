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
 * 14 new windows                   refused, in every web contents
 * 15 openExternal                  not used
 * 16 a current Electron            pinned, installed as pinned, and of a line that is looked after
 * 17 senders of messages           the top frame of the own page; what it says is validated
 * 18 no file://                    app://, which reads its folder and nothing else
 * 19 fuses                         configured here; blown in test/package
 * 20 no Electron API in the page   the bridge gives functions of ours, and no event of Electron's
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OFFER_WEBGPU } from '../../../app/main/graphics.ts';
import type { CallEvent, Calls, MainIpc } from '../../../app/main/ipc.ts';
import { isTrusted, registerCalls } from '../../../app/main/ipc.ts';
import { developmentOrigin, guardContents, isOwnAddress } from '../../../app/main/navigation.ts';
import type { GuardedContents } from '../../../app/main/navigation.ts';
import { refusePermissions } from '../../../app/main/permissions.ts';
import type { PermissionSession } from '../../../app/main/permissions.ts';
import { createProtocolHandler, PAGE, PRIVILEGES } from '../../../app/main/protocol.ts';
import { windowOptions } from '../../../app/main/window.ts';
import { CALLS, createBridge, NEWS } from '../../../app/preload/bridge.ts';
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
    expect(sourcesOf('app/renderer')).not.toMatch(/<webview|allowpopups/i);
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

it('5: every permission is refused, whether it is asked for or looked up, and every device and screen', () => {
  const refused: Record<string, unknown> = {};
  const session: PermissionSession = {
    setPermissionRequestHandler: (handler) =>
      handler({}, 'media', (granted) => {
        refused['request'] = granted;
      }),
    setPermissionCheckHandler: (handler) => {
      refused['check'] = handler({}, 'geolocation');
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
  expect(refused).toEqual({ request: false, check: false, device: false, screen: null });
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

  it.each(['renderer/main.tsx', 'renderer/session/worker.ts', 'renderer/reading/reading-worker.ts'])(
    'is not tried out by a library: %s tells zod before everything else that nothing is evaluated',
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

  it('may load itself anew from the development server, and go nowhere else from there', () => {
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

it('15: nothing is opened outside', () => {
  expect(mainSources).not.toMatch(/\bshell\.|openExternal/);
});

it('16: Electron is pinned, installed as pinned, and of a line that is looked after', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const installed = JSON.parse(readFileSync(join(root, 'node_modules/electron/package.json'), 'utf8'));
  expect(devDependencies.electron).toBe(installed.version);
  expect(Number(installed.version.split('.')[0])).toBeGreaterThanOrEqual(45);
});

function frame(url: string, parent: unknown = null): CallEvent {
  return { senderFrame: { url, parent } };
}

function calls(): { handlers: Map<string, (event: CallEvent, ...values: unknown[]) => unknown>; made: unknown[][] } {
  const handlers = new Map<string, (event: CallEvent, ...values: unknown[]) => unknown>();
  const made: unknown[][] = [];
  const ipc: MainIpc = { handle: (channel, listener) => void handlers.set(channel, listener) };
  const record = new Proxy({} as Calls, {
    get:
      (_target, name) =>
      (...values: unknown[]) => {
        made.push([name, ...values]);
        return Promise.resolve(undefined);
      },
  });
  registerCalls(ipc, record);
  return { handlers, made };
}

describe('17: calls are answered', () => {
  it('for the top frame of the own page alone', () => {
    expect(isTrusted(frame(PAGE))).toBe(true);
    expect(isTrusted(frame('app://shoal/index.html?recovered'))).toBe(true);
    expect(isTrusted(frame('app://other/'))).toBe(false);
    expect(isTrusted(frame('https://shoal/'))).toBe(false);
    expect(isTrusted(frame('file:///etc/passwd'))).toBe(false);
    expect(isTrusted(frame('not an address'))).toBe(false);
    expect(isTrusted(frame(PAGE, {}))).toBe(false);
    expect(isTrusted({ senderFrame: null })).toBe(false);
  });

  it('never by a server of another machine', () => {
    expect(developmentOrigin('http://127.0.0.1:5173/')).toBe('http://127.0.0.1:5173');
    for (const address of [undefined, '', 'http://example.org/', 'https://127.0.0.1/', 'file:///x', 'nonsense']) {
      expect(developmentOrigin(address)).toBeUndefined();
    }
  });

  it('for the development server only when there is one', () => {
    expect(isOwnAddress('http://127.0.0.1:5173/', 'http://127.0.0.1:5173')).toBe(true);
    expect(isOwnAddress('http://127.0.0.1:5173/')).toBe(false);
    expect(isOwnAddress('http://127.0.0.1:5174/', 'http://127.0.0.1:5173')).toBe(false);
  });

  it('on the channels of the bridge and no others', () => {
    expect([...calls().handlers.keys()].toSorted()).toEqual(Object.values(CALLS).toSorted());
  });

  it('never for a stranger, on any channel', () => {
    const { handlers, made } = calls();
    for (const [channel, handler] of handlers) {
      expect(() => handler(frame('https://example.org/'))).toThrow(`${channel} is refused: it does not come`);
    }
    expect(made).toEqual([]);
  });

  const id = '0123456789abcdef0123456789abcdef';
  const some = new Uint8Array([1, 2]);
  it.each([
    [CALLS.openScenario, [], ['openScenario']],
    [CALLS.openRecent, [id], ['openRecent', id]],
    [CALLS.sibling, [{ id, name: 'fields/bed.npy' }], ['sibling', id, 'fields/bed.npy']],
    [
      CALLS.save,
      [{ name: 'a b.json', type: 'application/json', bytes: some }],
      ['save', 'a b.json', 'application/json', some],
    ],
    [CALLS.saveFolder, [{ name: 'run', files: { 'a/b.csv': some } }], ['saveFolder', 'run', { 'a/b.csv': some }]],
    [CALLS.setUnsaved, [true], ['setUnsaved', true]],
    [CALLS.copyText, ['npm start'], ['copyText', 'npm start']],
  ])('when what comes is of the right form: %s', (channel, values, expected) => {
    const { handlers, made } = calls();
    handlers.get(channel)?.(frame(PAGE), ...values);
    expect(made).toEqual([expected]);
  });

  it.each([
    [CALLS.openScenario, ['/etc/passwd']],
    [CALLS.openRecent, ['../../etc/passwd']],
    [CALLS.openRecent, [7]],
    [CALLS.sibling, [{ id, name: '../secret.npy' }]],
    [CALLS.sibling, [{ id, name: '/etc/bed.npy' }]],
    [CALLS.sibling, [{ id, name: 'C:\\bed.npy' }]],
    [CALLS.save, [{ name: '../a.json', type: 'application/json', bytes: some }]],
    [CALLS.save, [{ name: 'a.json', type: 'application/json', bytes: 'text' }]],
    [CALLS.save, [{ name: 'a.json', type: 'application/json', bytes: some, path: '/etc' }]],
    [CALLS.saveFolder, [{ name: 'run', files: { '../a.csv': some } }]],
    [CALLS.saveFolder, [{ name: 'run', files: { 'a//b.csv': some } }]],
    [CALLS.setUnsaved, ['yes']],
    [CALLS.copyText, ['x'.repeat(2 ** 20 + 1)]],
    [CALLS.listening, [1]],
  ])('and refused when it is not: %s %j', (channel, values) => {
    const { handlers, made } = calls();
    expect(() => handlers.get(channel)?.(frame(PAGE), ...values)).toThrow('is refused');
    expect(made).toEqual([]);
  });
});

describe('18: app:// takes the place of file://', () => {
  const asked: string[] = [];
  const handle = createProtocolHandler('/site', (path) => {
    asked.push(path);
    return path.endsWith('missing.js') ? Promise.reject(new Error('gone')) : Promise.resolve(new Uint8Array([42]));
  });
  const get = (url: string, method = 'GET') => handle({ url, method });

  it('is a secure origin like https', () => {
    expect(PRIVILEGES).toMatchObject({ scheme: 'app', privileges: { standard: true, secure: true } });
    expect(PRIVILEGES.privileges).not.toHaveProperty('bypassCSP');
  });

  it('gives the page and its parts with type and security headers', async () => {
    const page = await get(PAGE);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(new Uint8Array(await page.arrayBuffer())).toEqual(new Uint8Array([42]));
    const script = await get('app://shoal/assets/worker-abcdefgh.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(asked.slice(-2)).toEqual(['/site/index.html', '/site/assets/worker-abcdefgh.js']);
  });

  it.each([
    'app://shoal/..%2f..%2fetc/passwd',
    'app://shoal/..%5cpackage.json',
    'app://shoal/%252e%252e/package.json',
    'app://shoal/.git/config',
    'app://shoal/a//b.js',
    'app://shoal/a%00.js',
    'app://shoal/C:/windows',
    'app://other/index.html',
    'app://shoal/%',
  ])('reads nothing for %s', async (url) => {
    const before = asked.length;
    expect((await get(url)).status).toBe(404);
    expect(asked).toHaveLength(before);
  });

  it('never leaves the folder, however a path is written', async () => {
    const before = asked.length;
    for (const path of ['../../etc/passwd', './../x', 'a/../../x', '%2e%2e/x']) await get(`app://shoal/${path}`);
    for (const path of asked.slice(before)) expect(path.startsWith('/site/')).toBe(true);
  });

  it('answers a missing file and another method with a refusal', async () => {
    expect((await get('app://shoal/missing.js')).status).toBe(404);
    expect((await get(PAGE, 'POST')).status).toBe(405);
    expect((await get(PAGE, 'HEAD')).body).toBeNull();
  });
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

describe('20: the bridge', () => {
  it('has calls and news, and nothing of Electron', async () => {
    const invoked: unknown[][] = [];
    const listeners = new Map<string, (event: unknown, ...values: unknown[]) => void>();
    const bridge = createBridge({
      invoke: (...values) => {
        invoked.push(values);
        return Promise.resolve('answer');
      },
      on: (channel, listener) => listeners.set(channel, listener),
      off: (channel) => listeners.delete(channel),
    });
    expect(Object.values(bridge).every((each) => typeof each === 'function')).toBe(true);
    expect(await bridge.sibling('ab', 'bed.npy')).toBe('answer');
    expect(invoked).toEqual([[CALLS.sibling, { id: 'ab', name: 'bed.npy' }]]);

    const told: unknown[] = [];
    const stop = bridge.onCommand((command) => told.push(command));
    // The event, by which a page could reach further, stays behind.
    listeners.get(NEWS.command)?.({ sender: 'secret' }, 'run.play');
    expect(told).toEqual(['run.play']);
    stop();
    expect(listeners.size).toBe(0);
  });
});
