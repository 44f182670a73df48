/** What the service worker answers with: what the host of the site has now, under the application's own headers. */
import { securityHeaders } from '../server/headers.ts';

/** Statuses of answers that cannot have a body. */
const WITHOUT_BODY = new Set([101, 204, 205, 304]);

/** What a service worker is asked for; `only-if-cached` can be answered by nothing but the page's own fetch. */
export function isAnswered({ method, url, cache, mode }: Request, origin: string): boolean {
  return method === 'GET' && new URL(url).origin === origin && (cache !== 'only-if-cached' || mode === 'same-origin');
}

/**
 * Nothing is stored: files are kept by the browser as the host says, under names that change with what is in them, and the
 * page, which names them, is asked for again each time.
 */
export function freshRequest(request: Request): Request {
  return request.mode === 'navigate' ? new Request(request, { cache: 'no-cache' }) : request;
}

/** @returns the same answer under the application's headers; one that only leads elsewhere stays as it is */
export function isolatedAnswer(answer: Response): Response {
  const { status, statusText } = answer;
  // What the browser does not let a script see, redirections of pages among them, has the status 0.
  if (status === 0) return answer;
  const headers = new Headers(answer.headers);
  for (const [name, value] of Object.entries(securityHeaders())) headers.set(name, value);
  return new Response(WITHOUT_BODY.has(status) ? null : answer.body, { status, statusText, headers });
}
