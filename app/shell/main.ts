/** Evaluates the page's modules in two tasks, scenarios and their schemas first: one task would hold the browser up for too long. */
import '../workers/strict-policy.ts';
import { scenarioJsonSchema } from '../../engine/index.ts';
import { nextTask } from '../page/render-pace.ts';

async function begin(): Promise<void> {
  await nextTask();
  const { start } = await import('./start.tsx');
  await nextTask();
  await start(scenarioJsonSchema);
}

void begin();
