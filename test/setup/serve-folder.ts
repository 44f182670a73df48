/** A static host for tests: a folder at a path, served as plainly as can be. */
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
};

/**
 * Serves a folder: a file's type, and no other header but those that are given.
 *
 * @param path that the folder is at, from / to /
 */
export function serveFolder(
  folder: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Server> {
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://site');
    const name = pathname === path ? 'index.html' : normalize(pathname.slice(path.length));
    const file = join(folder, name);
    if (!pathname.startsWith(path) || name.startsWith('..') || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', ...headers });
    createReadStream(file).pipe(response);
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}
