import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccess, isLocalHost, serveApplication } from '../../../app/server/server.ts';
import type { ServedApplication } from '../../../app/server/server.ts';
import { securityHeaders } from '../../../app/server/headers.ts';

const network = (file: string) => ({ name: file, network: { kind: 'file', file }, errorStandardDeviation: 0.1 });
/** Names four files below its folder, one of them a pipe and one a link that leads out. */
const SCENARIO = JSON.stringify({
  version: 3,
  name: 'mine',
  grid: { nx: 32, ny: 32, dx: 1, dy: 1 },
  model: { scheme: 'central-upwind', bathymetry: { kind: 'file', file: 'fields/bed.npy' } },
  observations: ['places.csv', 'pipe.csv', 'escape.csv', 'link.csv'].map(network),
  methods: [{ kind: 'letkf' }],
});

let folder = '';
let served: ServedApplication;
beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'shoal-server-')));
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'given', 'fields'), { recursive: true });
  const files = {
    'site/index.html': '<!doctype html>',
    'site/assets/index-Ab3_-xYz.js': 'export {}',
    'site/assets/style-12345678.css': 'a {}',
    'site/assets/font-12345678.woff2': 'font',
    'site/assets/packed-12345678.js.gz': gzipSync('export {}'),
    'site/.hidden': 'hidden',
    'secret.txt': 'secret',
    'secret.csv': 'secret',
    'given/mine.json': SCENARIO,
    'given/other.json': '{}',
    'given/notes.txt': 'notes',
    'given/fields/bed.npy': 'array',
    'given/fields/other.npy': 'secret',
    'given/places.csv': 'x,y,time',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  symlinkSync(join(folder, 'secret.csv'), join(folder, 'given', 'escape.csv'));
  symlinkSync('places.csv', join(folder, 'given', 'link.csv'));
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'given', 'pipe.csv')]);
  served = await serveApplication(site, { port: 0, given: join(folder, 'given', 'mine.json') });
});
afterAll(async () => {
  await served.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Asking {
  readonly method?: string;
  readonly host?: string;
}

/** A request whose path is sent as it is written, dots and all. */
function askAt(path: string, { method = 'GET', host }: Asking = {}): Promise<Answer> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const asking = request(
      { hostname, port, path, method, agent: false, headers: host === undefined ? {} : { host } },
      (answer) => {
        let body = '';
        answer.setEncoding('utf8').on('data', (part: string) => (body += part));
        answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
      },
    );
    asking.on('error', reject).end();
  });
}

/** The same behind the secret of the page's address. */
function ask(path: string, asking?: Asking): Promise<Answer> {
  const secret = new URL(served.url).pathname.slice(0, -1);
  return askAt(secret + path, asking);
}

it('gives a script of the installed package as it is kept: compressed', async () => {
  const { status, headers } = await ask('/assets/packed-12345678.js');
  expect([status, headers['content-encoding']]).toEqual([200, 'gzip']);
  expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  expect(headers['cache-control']).toMatch(/immutable/);
});

describe('the address', () => {
  it('has a secret that differs from start to start; without it nothing is read', async () => {
    const { pathname } = new URL(served.url);
    expect(pathname).toMatch(/^\/[\w-]{43}\/$/);
    expect(createAccess().page).not.toBe(createAccess().page);
    const secret = pathname.slice(1, -1);
    const wrong = (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1);
    const paths = ['/', '/index.html', '/given/mine.json', `/${secret}`, `/${wrong}/`, `/${wrong}/given/mine.json`];
    for (const path of [
      ...paths,
      `/x/${secret}/`,
      `/${secret}x/`,
      `//${secret}/`,
      `/%2f${secret}/`,
      '/open/',
      '/open/x',
    ]) {
      const { status, body } = await askAt(path);
      expect([path, status]).toEqual([path, 403]);
      expect(body).toContain('not the whole address');
    }
  });

  it('for a browser’s command line leads to the page once', async () => {
    const { pathname, search } = new URL(served.invitation);
    expect(search).toBe('');
    expect(served.invitation).not.toContain(new URL(served.url).pathname);
    const first = await askAt(pathname);
    expect(first.status).toBe(303);
    expect(new URL(first.headers.location ?? '', served.url).href).toBe(served.url);
    expect(first.headers['cache-control']).toBe('no-store');
    expect((await askAt(pathname)).status).toBe(403);
  });

  it('is of no use to a page of another name', async () => {
    expect((await ask('/', { host: 'rebound.example.org' })).status).toBe(421);
  });
});

describe('the page', () => {
  it('comes with COOP, COEP, the security policy and its type', async () => {
    const { status, headers, body } = await ask('/');
    expect(status).toBe(200);
    expect(body).toBe('<!doctype html>');
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
    for (const [name, value] of Object.entries(securityHeaders())) expect(headers[name.toLowerCase()]).toBe(value);
  });

  it.each([
    ['/assets/index-Ab3_-xYz.js', 'text/javascript; charset=utf-8', /immutable/],
    ['/assets/style-12345678.css', 'text/css; charset=utf-8', /immutable/],
    ['/assets/font-12345678.woff2', 'font/woff2', /immutable/],
    ['/index.html?open=mine.json', 'text/html; charset=utf-8', /no-cache/],
  ])('has parts with their type: %s', async (path, type, cached) => {
    const { status, headers } = await ask(path);
    expect(status).toBe(200);
    expect(headers['content-type']).toBe(type);
    expect(headers['cache-control']).toMatch(cached);
  });

  it('answers HEAD without a body, and no other method', async () => {
    expect(await ask('/', { method: 'HEAD' })).toMatchObject({ status: 200, body: '' });
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) expect((await ask('/', { method })).status).toBe(405);
  });

  it('says of a missing file that it is, with the same headers', async () => {
    const { status, headers } = await ask('/missing.js');
    expect(status).toBe(404);
    expect(headers['content-security-policy']).toBeDefined();
  });
});

describe('a path that leaves the folder', () => {
  it.each([
    '/../secret.txt',
    '/assets/../../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/..%5csecret.txt',
    '/%252e%252e/secret.txt',
    '/.hidden',
    '//secret.txt',
    '/assets/%00',
    '/%',
  ])('is refused: %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
    expect(body).not.toContain('hidden');
  });
});

describe('a request to another name', () => {
  it.each(['example.org', 'example.org:80', '127.0.0.1.example.org', 'localhost.example.org', '[::1]', '0.0.0.0'])(
    'is refused: %s',
    async (host) => {
      expect(isLocalHost(host)).toBe(false);
      expect((await ask('/', { host })).status).toBe(421);
    },
  );

  it('is taken by the two names of this machine, with any port', async () => {
    for (const host of ['127.0.0.1', 'localhost', 'LOCALHOST:80', '127.0.0.1:47613']) {
      expect((await ask('/', { host })).status).toBe(200);
    }
  });
});

it('listens on 127.0.0.1 alone', async () => {
  const { port, hostname } = new URL(served.url);
  expect(hostname).toBe('127.0.0.1');
  const other = connect({ host: '127.0.0.2', port: Number(port) });
  const reason = await new Promise((resolve) => {
    other.on('connect', () => resolve('connected')).on('error', () => resolve('refused'));
  });
  other.destroy();
  expect(reason).toBe('refused');
});

describe('a scenario that was named on the command line', () => {
  it('is in the address, and is handed over with the files that it names', async () => {
    expect(new URL(served.url).search).toBe('?open=mine.json');
    expect((await ask('/given/mine.json')).body).toBe(SCENARIO);
    expect((await ask('/given/fields/bed.npy')).body).toBe('array');
    expect((await ask('/given/places.csv')).body).toBe('x,y,time');
    expect((await ask('/given/link.csv')).body).toBe('x,y,time');
    expect((await ask('/given/places.csv')).headers['cache-control']).toBe('no-store');
  });

  it.each([
    '/given/other.json',
    '/given/notes.txt',
    '/given/fields/other.npy',
    '/given/../secret.txt',
    '/given/..%2fsecret.csv',
    '/given/%2e%2e/secret.csv',
    '/given/fields/%2e%2e/places.csv',
    '/given/',
    '/given',
    '/given/%',
    '/given/fields/mine.json',
  ])('opens nothing else: %s', async (path) => {
    const { status, body } = await ask(path);
    expect(status).toBe(404);
    expect(body).not.toContain('secret');
  });

  it.runIf(process.platform !== 'win32')('never waits for a pipe, and says why it does not read it', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('/given/pipe.csv')));
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body.trim()).toBe('is a named pipe, a file is needed');
    }
    expect((await ask('/')).status).toBe(200);
  });

  it('follows no link out of its folder', async () => {
    const { status, body } = await ask('/given/escape.csv');
    expect(status).toBe(403);
    expect(body.trim()).toBe("is a link that leads out of the scenario's folder");
  });

  it('may have any name', async () => {
    for (const name of ['100%.json', '.hidden.json', 'a b&c?#.json', 'größe.json']) {
      writeFileSync(join(folder, 'given', name), '{}');
      const other = await serveApplication(join(folder, 'site'), { port: 0, given: join(folder, 'given', name) });
      expect(new URL(other.url).searchParams.get('open')).toBe(name);
      const answer = await fetch(new URL(`./given/${encodeURIComponent(name)}`, other.url));
      expect([name, answer.status, await answer.text()]).toEqual([name, 200, '{}']);
      await other.close();
    }
  });

  it('gives what it names only up to the size that this can have', async () => {
    const path = join(folder, 'given', 'fields', 'bed.npy');
    writeFileSync(path, new Uint8Array(2 ** 20));
    const { status, body } = await ask('/given/fields/bed.npy');
    writeFileSync(path, 'array');
    expect(status).toBe(403);
    expect(body).toMatch(/^found 1048576 bytes, allowed: \d+$/m);
  });

  it('is nothing if none was named', async () => {
    const without = await serveApplication(join(folder, 'site'), { port: 0 });
    const answer = await fetch(new URL('./given/mine.json', without.url));
    await without.close();
    expect(answer.status).toBe(404);
    expect(new URL(without.url).search).toBe('');
  });
});

/** Opens a connection and sends nothing. */
function idle(): Promise<Socket> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(socket));
    socket.on('error', () => undefined);
  });
}

/** Files that this process has open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').length;
}

describe('many connections', () => {
  it('without the key cannot keep the owner out, however often they ask', async () => {
    const { hostname, port } = new URL(served.url);
    const strangers = await Promise.all(Array.from({ length: 64 }, idle));
    const asking = setInterval(() => {
      for (const socket of strangers) {
        if (!socket.destroyed) socket.write(`GET / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      }
    }, 50);
    try {
      for (let request = 0; request < 15; request++) expect((await ask('/')).status).toBe(200);
      // A refused connection is closed with its answer.
      await expect.poll(() => strangers.every(({ closed }) => closed), { timeout: 3000 }).toBe(true);
    } finally {
      clearInterval(asking);
      for (const socket of strangers) socket.destroy();
    }
  });

  it.runIf(process.platform === 'linux')('that request ahead and read nothing hold one open file each', async () => {
    const path = join(folder, 'site', 'ahead.bin');
    writeFileSync(path, new Uint8Array(2 ** 24));
    const { hostname, port, pathname } = new URL(served.url);
    const line = `GET ${pathname}ahead.bin HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`;
    const before = openFiles();
    const sockets = await Promise.all(Array.from({ length: 8 }, idle));
    try {
      for (const socket of sockets) socket.pause().write(line.repeat(15));
      await sleep(500);
      // Both ends of a connection are in this process, and a file each.
      expect(openFiles() - before).toBeLessThanOrEqual(3 * sockets.length);
      const greedy = await idle();
      greedy.pause().write(line.repeat(200));
      await expect.poll(() => greedy.resume().closed, { timeout: 3000 }).toBe(true);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    await expect.poll(openFiles, { timeout: 3000 }).toBeLessThanOrEqual(before);
    rmSync(path);
  });

  it('are held in small numbers, and give way to a request', async () => {
    const sockets = await Promise.all(Array.from({ length: 300 }, idle));
    try {
      await sleep(200);
      expect(sockets.filter(({ closed }) => !closed).length).toBeLessThanOrEqual(64);
      // Those that ask for nothing have five seconds.
      await expect
        .poll(
          () =>
            ask('/').then(
              ({ status }) => status,
              () => undefined,
            ),
          { timeout: 20_000, interval: 500 },
        )
        .toBe(200);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
  });

  it('that take nothing make the server hold little of a large file', async () => {
    const path = join(folder, 'site', 'large.bin');
    const megabytes = 64;
    writeFileSync(path, new Uint8Array(megabytes * 2 ** 20));
    const { hostname, port, pathname } = new URL(served.url);
    const before = process.memoryUsage().rss;
    const sockets = await Promise.all(Array.from({ length: 8 }, idle));
    try {
      for (const socket of sockets)
        socket.pause().write(`GET ${pathname}large.bin HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`);
      await sleep(1000);
      expect(process.memoryUsage().rss - before).toBeLessThan(megabytes * 2 ** 20);
    } finally {
      for (const socket of sockets) socket.destroy();
    }
    const whole = await fetch(new URL('./large.bin', served.url));
    expect((await whole.arrayBuffer()).byteLength).toBe(megabytes * 2 ** 20);
  });
});

it('takes another port where the wanted one is in use', async () => {
  const blocker = createServer();
  await new Promise<void>((resolve) => {
    blocker.listen(0, '127.0.0.1', () => resolve());
  });
  const address = blocker.address();
  const taken = typeof address === 'object' && address ? address.port : 0;
  const other = await serveApplication(join(folder, 'site'), { port: taken });
  expect(Number(new URL(other.url).port)).not.toBe(taken);
  expect((await fetch(other.url)).status).toBe(200);
  await other.close();
  blocker.close();
});
