/** WebKitGTK in its small browser, driven by WebDriver: its driver is a server, and is asked. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { environmentOf } from './browser.ts';
import type { Browser, Surroundings } from './browser.ts';
import { ERRORS_BODY } from './recorded-errors.ts';

export const WEBKIT_DRIVER = '/usr/bin/WebKitWebDriver';
/** Debian has it in the library's folder. */
export const MINI_BROWSER = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/webkit2gtk-4.1/MiniBrowser`;
const STARTS_WITHIN_MILLISECONDS = 30_000;

/** What the driver calls keys without a character. */
const KEYS: Readonly<Record<string, string>> = {
  Enter: '\uE007',
  Shift: '\uE008',
  Control: '\uE009',
  Escape: '\uE00C',
  ArrowUp: '\uE013',
};

/** An action of the keyboard, as the driver takes it. */
const stroke = (type: 'keyDown' | 'keyUp', key: string) => ({ type, value: KEYS[key] ?? key });

/** @returns a port that is free now; the driver takes none of its own choice */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Writes what the desktop's settings would say: where to save, and that motion is to be reduced. */
function writeSettings({ home, downloads }: Surroundings): void {
  const folder = join(home, '.config');
  mkdirSync(join(folder, 'gtk-3.0'), { recursive: true });
  writeFileSync(join(folder, 'user-dirs.dirs'), `XDG_DOWNLOAD_DIR="${downloads}"\n`);
  writeFileSync(join(folder, 'gtk-3.0', 'settings.ini'), '[Settings]\ngtk-enable-animations=0\n');
}

/** @throws Error with what the driver says if it refuses */
async function ask(port: number, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    ...(body && { body: JSON.stringify(body) }),
  });
  const { value } = (await response.json()) as { readonly value: unknown };
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(value)}`);
  return value;
}

/** Waits until the driver answers. @throws Error if it does not in time */
async function answering(port: number): Promise<void> {
  const end = Date.now() + STARTS_WITHIN_MILLISECONDS;
  for (;;) {
    try {
      await ask(port, 'GET', '/status');
      return;
    } catch (error) {
      if (Date.now() > end) throw error;
    }
    await later(50);
  }
}

export async function startWebKit(surroundings: Surroundings): Promise<Browser> {
  writeSettings(surroundings);
  const port = await freePort();
  const driver = spawn(WEBKIT_DRIVER, [`--port=${port}`], { env: environmentOf(surroundings), stdio: 'ignore' });
  await answering(port);
  const options = { 'webkitgtk:browserOptions': { binary: MINI_BROWSER, args: ['--automation'] } };
  const created = await ask(port, 'POST', '/session', { capabilities: { alwaysMatch: options } });
  const session = `/session/${(created as { readonly sessionId: string }).sessionId}`;
  const order = (path: string, body: object) => ask(port, 'POST', session + path, body);
  await order('/window/rect', { x: 0, y: 0, width: 1440, height: 900 });

  const strokes = (actions: readonly object[]) =>
    order('/actions', { actions: [{ type: 'key', id: 'keyboard', actions }] });
  return {
    async open(url) {
      await order('/url', { url });
    },
    evaluate: (body, ...values) =>
      order('/execute/sync', { script: `const [a, b] = arguments; ${body}`, args: values }),
    async press(key, held) {
      const pressed = [stroke('keyDown', key), stroke('keyUp', key)];
      await strokes(held ? [stroke('keyDown', held), ...pressed, stroke('keyUp', held)] : pressed);
    },
    async type(text) {
      await strokes(Array.from(text).flatMap((key) => [stroke('keyDown', key), stroke('keyUp', key)]));
    },
    async click({ x, y }) {
      const actions = [
        { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
        { type: 'pointerDown', button: 0 },
        { type: 'pointerUp', button: 0 },
      ];
      await order('/actions', { actions: [{ type: 'pointer', id: 'mouse', actions }] });
    },
    screenshot: async () => Buffer.from((await ask(port, 'GET', `${session}/screenshot`)) as string, 'base64'),
    errors: async () => (await order('/execute/sync', { script: ERRORS_BODY, args: [] })) as string[],
    async close() {
      await ask(port, 'DELETE', session);
      driver.kill();
    },
  };
}
