/** By which state variables table and charts compare the methods: those that the networks observe, unless others are chosen. */

/** Between the names of a choice of several. */
const AND = ', ';

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
