/**
 * Starts the worker that computes, and then evaluates the page's modules in two tasks, scenarios and their schemas first: one task
 * would hold the browser up for too long.
 */
import { createRunWorkers } from '../document/compute/early-worker.ts';

async function begin(): Promise<void> {
  const runWorkers = createRunWorkers();
  const { catalogueOf, nextTask } = await import('./schemas.ts');
  await nextTask();
  const { start } = await import('./start.tsx');
  await nextTask();
  await start(runWorkers, catalogueOf);
}

void begin();
