/** By which state variables table and charts compare the methods: those that the networks observe, unless others are chosen. */
import { computed, signal } from '@preact/signals';
import { comparedVariables } from '../../../engine/index.ts';
import { diagnostics, info } from '../state/session-state.ts';
import { variablesOf } from './series.ts';

/** Between the names of a choice of several. */
const AND = ', ';

/** `hu, hv`; empty for those that the networks observe. */
export const chosenVariables = signal('');
/** Whether axes of errors are made for the free run as well, which is often many times as wrong as the methods. */
export const withFreeRun = signal(false);

/** What can be compared: each variable, those observed together, and all of them. */
export function comparisons(variables: readonly string[], observed: readonly string[]): readonly string[] {
  const together = variables.filter((name) => observed.includes(name)).join(AND);
  return [...new Set([...variables, together, variables.join(AND)])].filter((choice) => choice !== '');
}

/** @returns the choice that holds: what was chosen where the run has it, else what is observed, else the first variable */
export function comparisonOf(chosen: string, variables: readonly string[], observed: readonly string[]): string {
  const choices = comparisons(variables, observed);
  if (choices.includes(chosen)) return chosen;
  return variables.filter((name) => observed.includes(name)).join(AND) || (variables[0] ?? '');
}

/** @returns the names of a choice */
export function namesOf(choice: string): readonly string[] {
  return choice === '' ? [] : choice.split(AND);
}

const variables = computed(() => variablesOf(diagnostics.value.values()));
const observed = computed(() => (info.value ? comparedVariables(info.value.scenario) : []));

export const choices = computed(() => comparisons(variables.value, observed.value));
export const comparison = computed(() => comparisonOf(chosenVariables.value, variables.value, observed.value));
export const shownVariables = computed(() => namesOf(comparison.value));

/** Ranks are counted of what is observed: the first of these that is shown, or the first of all. */
export const rankedVariable = computed(
  () => shownVariables.value.find((name) => observed.value.includes(name)) ?? observed.value[0] ?? 'h',
);
