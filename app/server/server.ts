/**
 * Serves the built application on this machine, to one person: it listens on 127.0.0.1, answers only requests that were made
 * to 127.0.0.1 or localhost by name, so that no other site can reach it through a name of its own, and only those who have
 * its address. Nobody can make it hold much: connections are few and end if nothing arrives, files are streamed.
 */
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { basename, extname } from 'node:path';
import { MAXIMUM_SCENARIO_BYTES } from '../../engine/index.ts';
import { largestOpened } from '../bundle/bundle-name.ts';
import { openBeside } from '../files/beside.ts';
import { FileError, openRegularFile, type RegularFile } from '../files/regular-file.ts';
import { fileFor, headersFor } from './site.ts';
import { pipeline } from 'node:stream/promises';
import { securityHeaders } from './headers.ts';
import type { Socket } from 'node:net';
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

/**
 * Who may read the page: who has its address. A secret is the first part of every path, so that other people on this machine,
 * whose programs reach the port too, and pages of other origins, which cannot read an address, get nothing. It is no cookie:
 * a browser sends those to every port of this machine, whoever listens there.
 */
interface Access {
  /** Path of the page. */
  readonly page: string;
  /** Path that leads to the page once: for a browser's command line, which everybody on this machine may be able to read. */
  readonly invitation: string;
  /** @returns what follows the secret, from its slash on; undefined for a path without the secret */
  pathBehindSecret(pathname: string): string | undefined;
  /** @returns whether a path is the invitation, which it is once */
  accept(pathname: string): boolean;
}

/** In a time that reveals nothing of where they differ, nor of how long the secret is. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function createAccess(): Access {
  const secret = newSecret();
  const invitation = `/open/${newSecret()}`;
  let isOpen = true;
  return {
    page: `/${secret}/`,
    invitation,
    pathBehindSecret(pathname) {
      const [, first, ...rest] = pathname.split('/');
      return first !== undefined && rest.length > 0 && isSame(first, secret) ? `/${rest.join('/')}` : undefined;
    },
    accept(pathname) {
      const isAccepted = isOpen && isSame(pathname, invitation);
      if (isAccepted) isOpen = false;
      return isAccepted;
    },
  };
}

/** A browser opens six at once for a page. */
const MOST_CONNECTIONS = 64;
/** Requests that one connection may send ahead. Browsers send none over HTTP/1.1. */
const MOST_WAITING = 16;

interface Connection {
  /** Whether one of its requests had the key. */
  isTrusted: boolean;
  waiting: number;
  last: Promise<void>;
}

/**
 * The connections of the local server: how many it holds, and in which order their requests are answered. Nobody without the
 * page's key can keep the owner out: if no place is free, the oldest connection that has not shown the key makes room.
 */
interface Connections {
  /** Records that a request of this connection had the key. */
  trust(socket: Socket): void;
  /**
   * Answers the requests of a connection one at a time: a client that sends many requests and reads nothing holds one open file,
   * not one for each request. A connection with too many waiting requests is closed.
   *
   * @param answer must not reject
   */
  inTurn(socket: Socket, answer: () => Promise<void>): void;
}

/** Bounds the connections of a server that does not listen yet. */
function boundConnections(server: Server): Connections {
  /** In the order in which they came. */
  const connections = new Map<Socket, Connection>();
  const stranger = (): Socket | undefined => {
    for (const [socket, { isTrusted }] of connections) if (!isTrusted) return socket;
    return undefined;
  };
  server.on('connection', (socket: Socket) => {
    if (connections.size >= MOST_CONNECTIONS) {
      const leaving = stranger() ?? socket;
      connections.delete(leaving);
      leaving.destroy();
      if (leaving === socket) return;
    }
    connections.set(socket, { isTrusted: false, waiting: 0, last: Promise.resolve() });
    socket.once('close', () => connections.delete(socket));
  });
  return {
    trust(socket) {
      const connection = connections.get(socket);
      if (connection) connection.isTrusted = true;
    },
    inTurn(socket, answer) {
      const connection = connections.get(socket);
      if (connection === undefined || connection.waiting === MOST_WAITING) {
        socket.destroy();
        return;
      }
      connection.waiting += 1;
      connection.last = connection.last.then(async () => {
        if (!socket.destroyed) await answer();
        connection.waiting -= 1;
      });
    },
  };
}

/** What the local server answers: a few words, or a file, which goes out as fast as it is taken and is never whole in memory. */
interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | RegularFile;
}

const UNKEPT = { 'Cache-Control': 'no-store' };

function words(status: number, text: string, more: Readonly<Record<string, string>> = {}): Answer {
  const headers = { ...securityHeaders(), 'Content-Type': 'text/plain; charset=utf-8', ...UNKEPT, ...more };
  return { status, headers, body: `${text}\n` };
}

/** @param path from the root of the server */
function redirection(path: string): Answer {
  return words(303, 'The page is elsewhere.', { Location: path });
}

/** From here on the request was refused: the connection ends with the answer, so that refused clients cannot hold connections. */
const FIRST_REFUSAL = 400;

/**
 * Sends an answer and closes its file, whatever happens.
 *
 * @param withBody false for HEAD
 * @throws Error if the connection closes before the end, or the file becomes shorter meanwhile
 */
async function send(response: ServerResponse, answer: Answer, withBody: boolean): Promise<void> {
  const { status, headers, body } = answer;
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  const closing = status >= FIRST_REFUSAL && { Connection: 'close' };
  try {
    response.writeHead(status, { ...headers, ...closing, 'Content-Length': length });
    if (typeof body === 'string') response.end(withBody ? body : undefined);
    else if (!withBody || length === 0) response.end();
    // Bytes that are added to the file meanwhile are not sent.
    else await pipeline(body.file.createReadStream({ start: 0, end: length - 1, autoClose: false }), response);
  } finally {
    if (typeof body !== 'string') await body.file.close();
  }
}

const ADDRESS = '127.0.0.1';
/** A fixed port, so that the page finds its settings again, which a browser keeps by origin. */
export const PREFERRED_PORT = 47_613;
/** Path behind the secret under which a scenario that was named on the command line is handed over, and what it names. */
const GIVEN = '/given/';

/** A connection on which no request has come by then ends, and one that is idle for as long as the other. */
const REQUEST_WITHIN_MILLISECONDS = 5000;
const IDLE_MILLISECONDS = 60_000;
const LARGEST_HEADER_BYTES = 8192;
/** The application's largest file is far smaller. */
const LARGEST_PART_BYTES = 2 ** 28;

export interface ServedApplication {
  /** Address of the page, for the user alone. */
  readonly url: string;
  /** Leads to the page once: for a browser's command line, which others can read. */
  readonly invitation: string;
  close(): Promise<void>;
}

export interface ServerOptions {
  /** Path of a scenario file that the page may read, and with it the files that the scenario names. */
  readonly given?: string;
  /** What the page shows first: the stage, the demonstration, or one of the other views. */
  readonly view?: string | undefined;
  /** Tried first; another is taken where it is in use. Default `PREFERRED_PORT`. */
  readonly port?: number;
}

interface Site {
  readonly folder: string;
  readonly given: string | undefined;
  readonly view: string | undefined;
  readonly access: Access;
}

const NO_PAGE = words(404, 'There is no such page.');

/** Whether the request names this machine as the page's address does. */
export function isLocalHost(host: string | undefined): boolean {
  return /^(127\.0\.0\.1|localhost)(:\d{1,5})?$/i.test(host ?? '');
}

function queryOf({ given, view }: Pick<Site, 'given' | 'view'>): string {
  const query = new URLSearchParams({
    ...(given !== undefined && { open: basename(given) }),
    ...(view !== undefined && { view }),
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** The scenario itself, wherever links lead, since the person named it; or a file that it names. */
function openGiven(given: string, name: string): Promise<RegularFile | undefined> {
  return name === basename(given)
    ? openRegularFile(given, largestOpened(given, MAXIMUM_SCENARIO_BYTES))
    : openBeside(given, name);
}

async function givenAnswer(given: string | undefined, encoded: string): Promise<Answer> {
  const name = decodeURIComponent(encoded);
  const body = given === undefined ? undefined : await openGiven(given, name);
  return body ? { status: 200, headers: { ...headersFor(name), 'Cache-Control': 'no-store' }, body } : NO_PAGE;
}

/** A script of the installed package is kept compressed, beside the name that it would have: every browser unpacks it. */
async function partAnswer(folder: string, pathname: string): Promise<Answer> {
  const file = fileFor(folder, pathname);
  if (file === undefined) return NO_PAGE;
  const headers = headersFor(file);
  const compressed = `${file}.gz`;
  if (extname(file) === '.js' && existsSync(compressed)) {
    const body = await openRegularFile(compressed, LARGEST_PART_BYTES);
    return { status: 200, headers: { ...headers, 'Content-Encoding': 'gzip' }, body };
  }
  return { status: 200, headers, body: await openRegularFile(file, LARGEST_PART_BYTES) };
}

/** @param onKey called if the request has the page's key */
async function answerTo(request: IncomingMessage, site: Site, onKey: () => void): Promise<Answer> {
  const { folder, given, access } = site;
  if (!isLocalHost(request.headers.host)) return words(421, 'This address is for 127.0.0.1 and localhost only.');
  if (request.method !== 'GET' && request.method !== 'HEAD') return words(405, 'Only GET and HEAD are answered.');
  const [pathname] = (request.url ?? '/').split(/[?#]/, 1);
  if (access.accept(pathname)) return redirection(access.page + queryOf(site));
  const path = access.pathBehindSecret(pathname);
  if (path === undefined) {
    return words(403, 'This is not the whole address of the page: open the one that "npm start" has printed.');
  }
  onKey();
  try {
    return await (path.startsWith(GIVEN) ? givenAnswer(given, path.slice(GIVEN.length)) : partAnswer(folder, path));
  } catch (error) {
    return error instanceof FileError ? words(403, error.reason) : NO_PAGE;
  }
}

function createBoundedServer(site: Site): Server {
  const options = {
    headersTimeout: REQUEST_WITHIN_MILLISECONDS,
    requestTimeout: REQUEST_WITHIN_MILLISECONDS,
    connectionsCheckingInterval: 1000,
    maxHeaderSize: LARGEST_HEADER_BYTES,
  };
  const server = createServer(options, (request, response) => {
    const { socket } = request;
    connections.inTurn(socket, async () => {
      try {
        const answer = await answerTo(request, site, () => connections.trust(socket));
        await send(response, answer, request.method !== 'HEAD');
      } catch {
        response.destroy();
      }
    });
  });
  const connections = boundConnections(server);
  return server.setTimeout(IDLE_MILLISECONDS);
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
  { given, view, port: preferred = PREFERRED_PORT }: ServerOptions = {},
): Promise<ServedApplication> {
  const access = createAccess();
  const server = createBoundedServer({ folder, given, view, access });
  await listenSomewhere(server, preferred);
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const origin = `http://${ADDRESS}:${address.port}`;
  return {
    url: origin + access.page + queryOf({ given, view }),
    invitation: origin + access.invitation,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
