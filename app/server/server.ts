/**
 * Serves the built application on this machine, to this machine: it listens on 127.0.0.1, and answers only requests that
 * were made to 127.0.0.1 or localhost by name, so that no other site can reach it through a name of its own.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { basename, dirname, extname, join } from 'node:path';
import { securityHeaders } from './headers.ts';
import { fileFor, headersFor, segmentsOf } from './site.ts';

const ADDRESS = '127.0.0.1';
/** A fixed port, so that the page finds its settings again, which a browser keeps by origin. */
export const PREFERRED_PORT = 47_613;
/** Path under which a scenario that was named on the command line is handed to the page, with the arrays beside it. */
export const GIVEN = '/given/';
const GIVEN_KINDS = new Set(['.npy', '.csv']);

export interface ServedApplication {
  readonly url: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Path of a scenario file that the page may read, and of its folder's `.npy` and `.csv` files. */
  readonly given?: string;
  /** Tried first; another is taken where it is in use. Default `PREFERRED_PORT`. */
  readonly port?: number;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

function plain(status: number, text: string): Answer {
  const headers = { ...securityHeaders(), 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' };
  return { status, headers, body: new TextEncoder().encode(`${text}\n`) };
}

/** Whether the request names this machine as the page's address does. */
export function isLocalHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i.test(host ?? '');
}

/** The file of a path under `GIVEN`, or undefined. */
function givenFile(given: string | undefined, segments: readonly string[]): string | undefined {
  if (given === undefined || segments.length < 2) return undefined;
  const names = segments.slice(1);
  const [name] = names;
  if (names.length === 1 && name === basename(given)) return given;
  return GIVEN_KINDS.has(extname(names.at(-1) ?? '').toLowerCase()) ? join(dirname(given), ...names) : undefined;
}

async function answerTo(request: IncomingMessage, folder: string, given: string | undefined): Promise<Answer> {
  if (!isLocalHost(request.headers.host)) return plain(421, 'This address is for 127.0.0.1 and localhost only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return plain(405, 'Only GET and HEAD are answered.');
  const pathname = (request.url ?? '/').split(/[?#]/, 1)[0];
  const segments = segmentsOf(pathname);
  const file = segments && `/${segments[0]}/` === GIVEN ? givenFile(given, segments) : fileFor(folder, pathname);
  if (file === undefined) return plain(404, 'There is no such page.');
  try {
    const body = await readFile(file);
    const headers = headersFor(file);
    return {
      status: 200,
      headers: file.startsWith(folder) ? headers : { ...headers, 'Cache-Control': 'no-store' },
      body,
    };
  } catch {
    return plain(404, 'There is no such page.');
  }
}

function send(response: ServerResponse, { status, headers, body }: Answer, withBody: boolean): void {
  response.writeHead(status, { ...headers, 'Content-Length': body.byteLength });
  response.end(withBody ? body : undefined);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const refuse = (error: Error): void => reject(error);
    server.once('error', refuse);
    server.listen(port, ADDRESS, () => {
      server.off('error', refuse);
      resolve();
    });
  });
}

async function listenSomewhere(server: Server, preferred: number): Promise<void> {
  try {
    await listen(server, preferred);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (preferred === 0 || (code !== 'EADDRINUSE' && code !== 'EACCES')) throw error;
    await listen(server, 0);
  }
}

/** @param folder of the built page, with `index.html` */
export async function serveApplication(
  folder: string,
  { given, port: preferred = PREFERRED_PORT }: ServerOptions = {},
): Promise<ServedApplication> {
  const server = createServer((request, response) => {
    answerTo(request, folder, given)
      .catch(() => plain(500, 'The page could not be read.'))
      .then((answer) => send(response, answer, request.method !== 'HEAD'))
      .catch(() => response.destroy());
  });
  await listenSomewhere(server, preferred);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const query = given === undefined ? '' : `?open=${encodeURIComponent(basename(given))}`;
  return {
    url: `http://${ADDRESS}:${address.port}/${query}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
