/**
 * The variables by which methods are compared: those that the networks observe, as state variables, because a table of h
 * alone says nothing of a scenario that observes currents.
 */
import { modelKindDefinition, unitOf } from '../model-kinds/index.ts';
import type { Scenario } from './schema.ts';

/** @returns a state variable's name with its unit, as heads and captions write it: `hu (m²/s)` */
export function nameWithUnit(variable: string): string {
  const unit = unitOf(variable);
  return unit === '' ? variable : `${variable} (${unit})`;
}

/** @returns the observed ones of the model's variables, in the order of the state; the first if nothing is observed */
export function comparedVariables({
  model,
  observations,
}: Pick<Scenario, 'model' | 'observations'>): readonly string[] {
  const { variables, observed } = modelKindDefinition(model);
  const judged = new Set(
    observations.flatMap(({ variable }) => observed.find(({ name }) => name === variable)?.judges ?? []),
  );
  const names = variables.map(({ name }) => name);
  const compared = names.filter((name) => judged.has(name));
  return compared.length > 0 ? compared : names.slice(0, 1);
}
