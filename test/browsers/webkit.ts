/** WebKitGTK's small browser, driven by WebDriver: requests to its driver, which is a server. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser, BrowserOptions } from './browser.ts';

export const WEBKIT_DRIVER = 'WebKitWebDriver';
export const MINI_BROWSER = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
const STARTS_WITHIN_MILLISECONDS = 30_000;

const KEYS: Readonly<Record<string, string>> = {
  Shift: '\uE008',
  Control: '\uE009',
  Enter: '\uE007',
  Escape: '\uE00C',
  ArrowLeft: '\uE012',
  ArrowUp: '\uE013',
  ArrowRight: '\uE014',
  ArrowDown: '\uE015',
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export async function startWebKit({ display, home, downloads }: BrowserOptions): Promise<Browser> {
  mkdirSync(join(home, '.config', 'gtk-3.0'), { recursive: true });
  writeFileSync(join(home, '.config', 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
  const log = join(home, 'console');
  const program = join(home, 'browser');
  // The driver silences what the browser prints.
  writeFileSync(program, `#!/bin/sh\nexec '${MINI_BROWSER}' "$@" >'${log}' 2>&1\n`, { mode: 0o755 });
  writeFileSync(join(home, '.config', 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  const port = await freePort();
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], {
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      XDG_RUNTIME_DIR: home,
      DISPLAY: display,
      LIBGL_ALWAYS_SOFTWARE: '1',
      LANG: 'C.UTF-8',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  driver.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  driver.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    const { value } = (await response.json()) as { readonly value: unknown };
    if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
    return value;
  }
  const began = Date.now();
  while (!(await ask('GET', '/status').then(() => true, () => false))) {
    if (Date.now() - began > STARTS_WITHIN_MILLISECONDS) throw new Error('WebKitWebDriver did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const args = ['--automation', '--enable-write-console-messages-to-stdout=true'];
  const options = { 'webkitgtk:browserOptions': { binary: program, args } };
  const session = (await ask('POST', '/session', { capabilities: { alwaysMatch: options } })) as { sessionId: string };
  const at = `/session/${session.sessionId}`;
  await ask('POST', `${at}/window/rect`, { x: 0, y: 0, width: 1440, height: 900 });
  const keys = (actions: object[]) => ask('POST', `${at}/actions`, { actions: [{ type: 'key', id: 'keys', actions }] });
  const down = (key: string) => ({ type: 'keyDown', value: KEYS[key] ?? key });
  const up = (key: string) => ({ type: 'keyUp', value: KEYS[key] ?? key });
  return {
    open: async (url) => void (await ask('POST', `${at}/url`, { url })),
    evaluate: (body, ...values) =>
      ask('POST', `${at}/execute/sync`, { script: `const [a, b, c] = arguments; ${body}`, args: values }),
    async press({ key, held }) {
      await keys([...(held ? [down(held)] : []), down(key), up(key), ...(held ? [up(held)] : [])]);
    },
    async type(text) {
      await keys([...text].flatMap((key) => [down(key), up(key)]));
    },
    async click({ x, y }) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await ask('POST', `${at}/actions`, { actions: [{ type: 'pointer', id: 'mouse', actions }] });
    },
    screenshot: async () => Buffer.from((await ask('GET', `${at}/screenshot`)) as string, 'base64'),
    errors: () => readFileSync(log, 'utf8').split('\n').filter((line) => /CONSOLE (\w+ )*ERROR /.test(line)),
    async close() {
      await ask('DELETE', at);
      driver.kill();
    },
    printed: () => printed+readFileSync(log, 'utf8'),
  } as Browser;
}
