/** Starts the application on a static host: isolates the page first, and reports the result in the page. */
import { isolate } from './isolation.ts';

function tabStorage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}

/** @throws Error where a part of the application cannot be loaded */
async function start(): Promise<void> {
  const { dataset } = document.documentElement;
  const isolation = await isolate('./service-worker.js', {
    isIsolated: globalThis.crossOriginIsolated,
    // The browser's types know no browser without them.
    serviceWorkers: (navigator as Partial<Navigator>).serviceWorker,
    storage: tabStorage(),
    reload: () => location.reload(),
  });
  if (isolation.kind === 'reloading') return;
  // The host of the page reads it (app/host/incoming.ts).
  dataset['site'] = isolation.kind === 'refused' ? isolation.why : '';
  const main = document.querySelector<HTMLScriptElement>('script[data-main]')?.dataset['main'];
  if (main === undefined) throw new Error('the page does not say where the application is');
  await import(/* @vite-ignore */ new URL(main, document.baseURI).href);
}

try {
  await start();
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  document.body.append(`Shoal could not be loaded: ${why}. Loading the page again may help.`);
}
