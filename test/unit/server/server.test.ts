import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { securityHeaders } from '../../../app/server/headers.ts';
import { isLocalHost, serveApplication } from '../../../app/server/server.ts';
import type { ServedApplication } from '../../../app/server/server.ts';

let folder = '';
let served: ServedApplication;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-server-'));
  const site = join(folder, 'site');
  mkdirSync(join(site, 'assets'), { recursive: true });
  mkdirSync(join(folder, 'given', 'fields'), { recursive: true });
  const files = {
    'site/index.html': '<!doctype html>',
    'site/assets/index-Ab3_-xYz.js': 'export {}',
    'site/assets/style-12345678.css': 'a {}',
    'site/assets/font-12345678.woff2': 'font',
    'site/.hidden': 'hidden',
    'secret.txt': 'secret',
    'given/mine.json': '{"version": 1}',
    'given/other.json': '{}',
    'given/notes.txt': 'notes',
    'given/fields/bed.npy': 'array',
    'given/places.csv': 'x,y,time',
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
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

/** A request whose path is sent as it is written, dots and all. */
function ask(path: string, { method = 'GET', host }: { method?: string; host?: string } = {}): Promise<Answer> {
  const { hostname, port } = new URL(served.url);
  return new Promise((resolve, reject) => {
    const asking = request({ hostname, port, path, method, headers: host === undefined ? {} : { host } }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (part: string) => (body += part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, body }));
    });
    asking.on('error', reject).end();
  });
}

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
    'http://127.0.0.1/../secret.txt',
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
  it('is in the address, and is handed over with the arrays beside it', async () => {
    expect(new URL(served.url).search).toBe('?open=mine.json');
    expect((await ask('/given/mine.json')).body).toBe('{"version": 1}');
    expect((await ask('/given/fields/bed.npy')).body).toBe('array');
    expect((await ask('/given/places.csv')).body).toBe('x,y,time');
  });

  it.each([
    '/given/other.json',
    '/given/notes.txt',
    '/given/../secret.txt',
    '/given/',
    '/given',
    '/given/fields/mine.json',
  ])('opens nothing else: %s', async (path) => {
    expect((await ask(path)).status).toBe(404);
  });

  it('is nothing where none was named', async () => {
    const without = await serveApplication(join(folder, 'site'), { port: 0 });
    const answer = await fetch(new URL('/given/mine.json', without.url));
    await without.close();
    expect(answer.status).toBe(404);
    expect(new URL(without.url).search).toBe('');
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
