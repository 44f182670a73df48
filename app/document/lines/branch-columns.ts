/** Which methods of a branch are on the stage, beside those of the run: a rule, unless the user has chosen. */
import { METHODS, type Intervention, type MethodSummary } from '../../../engine/index.ts';

/** @returns the index of the method that an intervention is of; undefined where it has a part in all of them */
function methodOf(intervention: Intervention): number | undefined {
  if (intervention.kind !== 'setting') return undefined;
  const [, index] = /^methods\[(\d+)\]/.exec(intervention.path) ?? [];
  return index === undefined ? undefined : Number(index);
}

/** @returns whether a change has a part in the truth: of its water, its bed or its model */
function changesTruth(intervention: Intervention): boolean {
  if (intervention.kind === 'setting') return /^(truth|model)\b/.test(intervention.path);
  return intervention.kind !== 'gauges';
}

/** @returns whether run and branch have a truth each, by what they change otherwise than the other */
export function hasOwnTruth(differences: readonly Intervention[]): boolean {
  return differences.some(changesTruth);
}

function assimilates({ kind }: MethodSummary): boolean {
  return METHODS.find((definition) => definition.kind === kind)?.assimilates !== false;
}

/**
 * @param methods of the run, in the scenario's order
 * @param differences what branch and run change otherwise than the other
 * @returns labels of the methods whose numbers may differ, in the order of the methods
 */
export function changedMethods(methods: readonly MethodSummary[], differences: readonly Intervention[]): string[] {
  const changed = new Set(differences.map(methodOf));
  const found = changed.has(undefined) ? methods : methods.filter((_, index) => changed.has(index));
  return found.map(({ label }) => label);
}

/**
 * The methods that a branch changes by name; where it changes only what all of them work with, or nothing yet, the first that
 * assimilates.
 *
 * @returns labels, in the order of the methods
 */
export function columnsByRule(methods: readonly MethodSummary[], differences: readonly Intervention[]): string[] {
  const named = differences.filter((each) => methodOf(each) !== undefined);
  if (named.length > 0) return changedMethods(methods, named);
  return methods
    .filter(assimilates)
    .slice(0, 1)
    .map(({ label }) => label);
}
