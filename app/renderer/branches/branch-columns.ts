/** Which methods of a branch stand on the stage, beside those of the run: a rule, unless a person has chosen. */
import { METHODS } from '../../../engine/index.ts';
import type { Intervention, MethodSummary } from '../../../engine/index.ts';

/** @returns the index of the method that an intervention is of; undefined where it has a part in all of them */
function methodOf(intervention: Intervention): number | undefined {
  if (intervention.kind !== 'setting') return undefined;
  const [, index] = /^methods\[(\d+)\]/.exec(intervention.path) ?? [];
  return index === undefined ? undefined : Number(index);
}

/**
 * The methods that a branch changes; where it changes what all of them work with, the first that assimilates.
 *
 * @param methods of the run, in the scenario's order
 * @param differences what branch and run change otherwise than the other
 * @returns labels, in the order of the methods
 */
export function columnsByRule(methods: readonly MethodSummary[], differences: readonly Intervention[]): string[] {
  const changed = differences.map(methodOf);
  const isOfAll = changed.length === 0 || changed.includes(undefined);
  const found = isOfAll ? [] : methods.filter((_, index) => changed.includes(index));
  if (found.length > 0) return found.map(({ label }) => label);
  const assimilates = ({ kind }: MethodSummary): boolean =>
    METHODS.find((definition) => definition.kind === kind)?.assimilates !== false;
  return methods
    .filter(assimilates)
    .slice(0, 1)
    .map(({ label }) => label);
}
