/** Starts the worker that computes, and then the interface. */
import { createRunWorkers } from '../document/compute/early-worker.ts';

/**
 * Evaluates the scripts that the page's head asks for, one after another: one task for all of them would hold the browser up for
 * too long. A build names them there, each after those that it imports; what is developed has none.
 */
async function evaluateScripts(): Promise<void> {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]')) {
    await import(/* @vite-ignore */ href);
  }
}

async function begin(): Promise<void> {
  const runWorkers = createRunWorkers();
  await evaluateScripts();
  const { start } = await import('./start.tsx');
  await start(runWorkers);
}

void begin();
