/** `app://shoal/…`: the built page, from its folder and from nowhere else. */
import { readFile } from 'node:fs/promises';
import { securityHeaders } from '../server/headers.ts';
import { fileFor, headersFor } from '../server/site.ts';

export const SCHEME = 'app';
export const ORIGIN = `${SCHEME}://shoal`;
export const PAGE = `${ORIGIN}/`;
/** Where a page starts that is to continue from the last checkpoint. */
export const RECOVERED_PAGE = `${PAGE}?recovered`;

/** For `protocol.registerSchemesAsPrivileged`, before the application is ready: a secure origin like https. */
export const PRIVILEGES = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
} as const;

function refusal(status: number): Response {
  return new Response(null, { status, headers: securityHeaders() });
}

/**
 * @param folder of the built page
 * @param read reads a file; inside a package Electron's own
 * @returns the handler for `protocol.handle`
 */
export function createProtocolHandler(
  folder: string,
  read: (path: string) => Promise<Uint8Array> = readFile,
): (request: Pick<Request, 'url' | 'method'>) => Promise<Response> {
  return async ({ url, method }) => {
    if (method !== 'GET' && method !== 'HEAD') return refusal(405);
    // The parsed path has its dots resolved; what was written must not have had any.
    const { host, pathname, protocol } = new URL(url);
    if (protocol !== `${SCHEME}:` || host !== 'shoal') return refusal(404);
    const file = fileFor(folder, pathname);
    if (file === undefined) return refusal(404);
    try {
      const body = method === 'HEAD' ? null : ((await read(file)) as Uint8Array<ArrayBuffer>);
      return new Response(body, { status: 200, headers: headersFor(file) });
    } catch {
      return refusal(404);
    }
  };
}
