/**
 * The variables by which methods are compared: those that the networks observe, as state variables, because a table of h
 * alone says nothing of a scenario that observes currents.
 */
import type { ObservedVariable, Scenario } from './schema.ts';

/** State variables whose error an observation of each kind judges. */
const JUDGES: Readonly<Record<ObservedVariable, readonly string[]>> = {
  h: ['h'],
  eta: ['h'],
  hu: ['hu'],
  hv: ['hv'],
  u: ['hu'],
  v: ['hv'],
  speed: ['hu', 'hv'],
};

/** Of every model of a scenario, in the order of the state. */
export const STATE_VARIABLES: readonly string[] = ['h', 'hu', 'hv'];

/** Units of what is observed, the state variables among it. */
const UNITS: Readonly<Record<ObservedVariable, string>> = {
  h: 'm',
  eta: 'm',
  hu: 'm²/s',
  hv: 'm²/s',
  u: 'm/s',
  v: 'm/s',
  speed: 'm/s',
};

/** @returns the unit of a state variable, or of what is observed; empty where it has none */
export function unitOf(variable: string): string {
  return Object.hasOwn(UNITS, variable) ? UNITS[variable as ObservedVariable] : '';
}

/** @returns a state variable's name with its unit, as heads and captions write it: `hu (m²/s)` */
export function nameWithUnit(variable: string): string {
  const unit = unitOf(variable);
  return unit === '' ? variable : `${variable} (${unit})`;
}

/** @returns the observed ones of h, hu, hv, in the order of the state; h where nothing is observed */
export function comparedVariables({ observations }: Pick<Scenario, 'observations'>): readonly string[] {
  const judged = new Set(observations.flatMap(({ variable }) => JUDGES[variable]));
  const compared = STATE_VARIABLES.filter((variable) => judged.has(variable));
  return compared.length > 0 ? compared : ['h'];
}
