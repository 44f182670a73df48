/**
 * Whether the truth is a draw from what the members are drawn from, their prior. Only then can the ensemble's spread be the
 * size of its error, and can a method be judged by whether it is.
 */
import { initialStateDefinition } from '../initial-states/index.ts';
import { describeValue } from '../settings/index.ts';
import type { Initial, Perturbation, Scenario } from './schema.ts';

/** @returns how the truth's prior differs from the members', in a few words, or undefined where it does not or is not known */
export function priorDifference({ truth, background }: Pick<Scenario, 'truth' | 'background'>): string | undefined {
  const perturbations = perturbationDifference(truth.perturbation, background.perturbation);
  // The members start from the truth before its perturbation: beside it they have theirs alone.
  if (initialStateDefinition(background.initial.kind).isOfTruth) return perturbations;
  // What is in a file is not known here, and it may hold a state for each member.
  const isRead = [truth, background].some(({ initial }) => initialStateDefinition(initial.kind).reads);
  if (isRead) return undefined;
  return initialDifference(truth.initial, background.initial) ?? perturbations;
}

function initialDifference(truth: Initial, members: Initial): string | undefined {
  if (truth.kind !== members.kind) return `it starts from "${truth.kind}", they from "${members.kind}"`;
  const other = new Map<string, unknown>(Object.entries(members));
  const differing = Object.entries(truth).find(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(other.get(key)),
  );
  if (differing === undefined) return undefined;
  const [key, value] = differing;
  return `initial.${key} is ${describeValue(value)} for it and ${describeValue(other.get(key))} for them`;
}

function perturbationDifference(truth: Perturbation, members: Perturbation): string | undefined {
  if (truth.standardDeviation === 0 && members.standardDeviation === 0) return undefined;
  for (const key of ['standardDeviation', 'length', 'balance'] as const) {
    if (truth[key] === members[key]) continue;
    return `perturbation.${key} is ${describeValue(truth[key])} for it and ${describeValue(members[key])} for them`;
  }
  return undefined;
}
