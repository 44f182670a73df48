/** The built application as a site: which file answers a path, and with which headers. Used by `app://` and the local server. */
import { extname, join } from 'node:path';
import { securityHeaders } from './headers.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
};

/** The page. */
const INDEX = 'index.html';

/**
 * @param pathname of a URL, percent-encoded
 * @returns the names from the site's folder down to the file, or undefined for a path that no site has: one that leaves the
 *   folder, that hides its way by encoding, or that names a hidden file
 */
function segmentsOf(pathname: string): readonly string[] | undefined {
  let decoded: string;
  try {
    decoded = decodeURIComponent(pathname);
  } catch {
    return undefined;
  }
  if (!decoded.startsWith('/') || /[\\:%\p{Cc}]/u.test(decoded)) return undefined;
  const segments = decoded.slice(1).split('/');
  if (segments.length === 1 && segments[0] === '') return [INDEX];
  return segments.every((segment) => segment !== '' && !segment.startsWith('.')) ? segments : undefined;
}

/** @returns the file that answers a path, or undefined; it need not exist */
export function fileFor(folder: string, pathname: string): string | undefined {
  const segments = segmentsOf(pathname);
  return segments && join(folder, ...segments);
}

/** @returns all headers for a file of the site. Built files but the page carry a hash in their names and never change. */
export function headersFor(file: string): Record<string, string> {
  const type = extname(file).toLowerCase();
  return {
    ...securityHeaders(),
    'Content-Type': CONTENT_TYPES[type] ?? 'application/octet-stream',
    'Cache-Control': /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+$/.test(file)
      ? 'public, max-age=31536000, immutable'
      : 'no-cache',
  };
}
