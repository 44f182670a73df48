/**
 * Choices that figures share: the variables by which methods are compared (those that the networks observe, unless others are
 * chosen), the method and the curve that are drawn.
 */
import type { MethodStyle } from '../document/views/method-style.ts';
import type { ChoiceName, FigureChoice, ShownRun } from './figure-data.ts';

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

function named(names: readonly string[]): FigureChoice['options'] {
  return names.map((name) => ({ value: name, label: name }));
}

/** By which variables table and charts compare the methods. */
export function variableChoice({
  comparison,
  comparisons,
}: Pick<ShownRun, 'comparison' | 'comparisons'>): FigureChoice {
  const label = 'Variables that are compared';
  return { of: 'chosenVariables', label, value: comparison, options: named(comparisons) };
}

/** The choice of the variable whose members are shown. */
export function sampledVariableChoice({ sampledVariable, sampledVariables }: ShownRun): FigureChoice {
  return { of: 'sampledVariable', label: 'Variable', value: sampledVariable, options: named(sampledVariables) };
}

/** @returns the method that is chosen among those that have what is drawn; undefined if none has */
export function methodOf({ consistencyMethod }: ShownRun, candidates: readonly MethodStyle[]): MethodStyle | undefined {
  return candidates.find(({ label }) => label === consistencyMethod) ?? candidates.at(-1);
}

export function methodChoice(candidates: readonly MethodStyle[], chosen: MethodStyle | undefined): FigureChoice {
  const options = candidates.map(({ label, title }) => ({ value: label, label: title }));
  return { of: 'consistencyMethod', label: 'Method', value: chosen?.label ?? '', options };
}

/** The choice of the curve of a method that other runs are compared with; nothing if there are no such runs. */
export function curveChoice(
  run: ShownRun,
  of: ChoiceName & ('comparedOctave' | 'comparedScore'),
  curves: readonly { readonly of: string; readonly label: string }[],
): readonly FigureChoice[] {
  if (run.shown.overlaid.length === 0) return [];
  const options = curves.map((curve) => ({ value: curve.of, label: curve.label }));
  return [{ of, label: 'Curve to compare with other runs', value: run[of], options }];
}
