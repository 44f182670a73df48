/**
 * The service worker of a site without headers of its own: it gives each answer of the host the headers that isolate the page
 * from other origins, and the whole security policy. It keeps nothing, so nothing that it answers can be stale.
 */
import { freshRequest, isAnswered, isolatedAnswer } from './isolation.ts';

/** The part of a service worker's scope that is used; the page's types call `self` a window. */
interface ServiceWorkerScope {
  readonly location: { readonly origin: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<void>): void }) => void,
  ): void;
  addEventListener(
    type: 'fetch',
    listener: (event: { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
}

async function answerTo(request: Request): Promise<Response> {
  return isolatedAnswer(await fetch(freshRequest(request)));
}

const scope = self as unknown as ServiceWorkerScope;

// Whatever version it is of, it does the same for every page: a newer one takes its place at once.
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()));
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener('fetch', (event) => {
  if (isAnswered(event.request, scope.location.origin)) event.respondWith(answerTo(event.request));
});
