/**
 * Isolation from other origins, which shared memory needs, where a page's host sets no headers: a service worker of the site
 * sets them (`service-worker.ts`) once it answers for the page, and for that the page is loaded a second time; never a third.
 */
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

/** Remembers, for this tab, that the page was loaded again to be isolated. */
const ATTEMPT = 'shoal.isolation';
/** A service worker without a cache is ready in a fraction of a second. */
const READY_WITHIN_MILLISECONDS = 10_000;

/** What isolation is made of in a browser, so that a test can give other parts. */
export interface IsolationParts {
  /** Whether the page is isolated already, by its host or by the service worker. */
  readonly isIsolated: boolean;
  /** Undefined where the browser has none: not over https, or a private window. */
  readonly serviceWorkers: Pick<ServiceWorkerContainer, 'register'> | undefined;
  /** Storage of the tab; undefined if the browser refuses it. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined;
  readonly reload: () => void;
}

/** `reloading`: the page is about to be loaded again, and nothing is to be started in this one. */
export type Isolation =
  | { readonly kind: 'isolated' }
  | { readonly kind: 'reloading' }
  /** `why` is a sentence for the person. */
  | { readonly kind: 'refused'; readonly why: string };

/** Resolves when a registration's worker answers for pages that are loaded from then on. @throws Error where it will not */
function activated({ installing, waiting, active }: ServiceWorkerRegistration): Promise<void> {
  const worker = installing ?? waiting ?? active;
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(why));
    const late = setTimeout(() => fail('it did not start in time'), READY_WITHIN_MILLISECONDS);
    const look = (): void => {
      if (worker?.state !== 'activated' && worker?.state !== 'redundant') return;
      clearTimeout(late);
      if (worker.state === 'activated') resolve();
      else fail('it could not be installed');
    };
    worker?.addEventListener('statechange', look);
    look();
  });
}

function refused(why: string): Isolation {
  return { kind: 'refused', why };
}

/** @param script address of the service worker, beside the page */
export async function isolate(
  script: string,
  { isIsolated, serviceWorkers, storage, reload }: IsolationParts,
): Promise<Isolation> {
  if (isIsolated) {
    storage?.removeItem(ATTEMPT);
    return { kind: 'isolated' };
  }
  if (!serviceWorkers) {
    return refused('This browser has no service workers here; they need https, and some private windows lack them.');
  }
  // Without a memory of the first attempt there would be no end of them.
  if (!storage) return refused('This browser keeps nothing for this page, not even as long as the tab is open.');
  if (storage.getItem(ATTEMPT) !== null) {
    return refused('The service worker of this site does not isolate the page in this browser.');
  }
  try {
    // A script that the browser kept for a day could be of an older site.
    await activated(await serviceWorkers.register(script, { scope: './', updateViaCache: 'none' }));
  } catch (error) {
    return refused(
      `The service worker of this site does not work: ${error instanceof Error ? error.message : String(error)}.`,
    );
  }
  storage.setItem(ATTEMPT, 'begun');
  reload();
  return { kind: 'reloading' };
}
