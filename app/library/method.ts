/** Methods of one's own, beside those of Shoal. */
import { addMethod } from '../../engine/index.ts';
import type { MethodDefinition } from '../../engine/index.ts';

/**
 * Adds a kind of method, which `readScenario` then knows and every experiment runs beside those of Shoal.
 *
 * @param definition as `defineMethod` gives it
 * @returns the way to take it away again
 * @throws RangeError where there is that kind already
 */
export function registerMethod(definition: MethodDefinition<never>): () => void {
  return addMethod(definition);
}
