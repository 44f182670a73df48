/** Methods of one's own, beside those of Shoal. */
import { assertArgument, having, record, text } from './arguments.ts';
import { addMethod } from '../../engine/index.ts';
import type { MethodDefinition } from '../../engine/index.ts';

/**
 * Adds a kind of method, which `readScenario` then knows and every experiment runs beside those of Shoal.
 *
 * @param definition as `defineMethod` gives it
 * @returns the way to take it away again
 * @throws RangeError if there is that kind already, ArgumentError for what `defineMethod` does not give
 */
export function registerMethod(definition: MethodDefinition<never>): () => void {
  assertArgument('registerMethod: definition', definition, {
    ...having(['create'], 'what defineMethod returns'),
    allowed: 'what defineMethod returns',
  });
  assertArgument('registerMethod: definition.kind', definition.kind, text);
  assertArgument('registerMethod: definition.schema', definition.schema, record);
  return addMethod(definition);
}
