/** The methods that --method selects. */
import { nearest } from '../../../engine/index.ts';
import type { Scenario } from '../../../engine/index.ts';
import { UsageError } from '../failure.ts';

/**
 * @returns labels of the methods that names select, in the scenario's order; undefined for all
 * @throws UsageError for a name that is neither label nor kind
 */
export function selectMethods({ methods }: Scenario, names: readonly string[] | undefined): string[] | undefined {
  if (!names) return undefined;
  for (const name of names) {
    if (methods.some(({ label, kind }) => name === label || name === kind)) continue;
    const known = [...new Set(methods.flatMap(({ label, kind }) => [label, kind]))];
    const near = nearest(name, known);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`--method ${name}: the scenario has no such method; it has ${known.join(', ')}${hint}`);
  }
  return methods.filter(({ label, kind }) => names.includes(label) || names.includes(kind)).map(({ label }) => label);
}
