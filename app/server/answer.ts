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

/** Sends an answer. @param withBody not for HEAD. @throws Error when the other side is gone before the end, or the file is cut */
export async function send(
  response: ServerResponse,
  { status, headers, body }: Answer,
  withBody: boolean,
): Promise<void> {
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.size;
  response.writeHead(status, { ...headers, 'Content-Length': length });
  if (typeof body === 'string') {
    response.end(withBody ? body : undefined);
    return;
  }
  if (!withBody || length === 0) {
    response.end();
    await body.file.close();
    return;
  }
  // What is added to the file meanwhile is not sent; the stream closes the file.
  await pipeline(body.file.createReadStream({ start: 0, end: length - 1 }), response);
}
