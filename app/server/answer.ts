/** What the local server answers: a few words, or a file, which goes out as fast as it is taken and is never whole in memory. */
import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { RegularFile } from '../files/regular-file.ts';
import { securityHeaders } from './headers.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | RegularFile;
}

const UNKEPT = { 'Cache-Control': 'no-store' };

export function words(status: number, text: string, more: Readonly<Record<string, string>> = {}): Answer {
  const headers = { ...securityHeaders(), 'Content-Type': 'text/plain; charset=utf-8', ...UNKEPT, ...more };
  return { status, headers, body: `${text}\n` };
}

/** @param path from the root of the server */
export function redirection(path: string): Answer {
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
export async function send(response: ServerResponse, answer: Answer, withBody: boolean): Promise<void> {
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
