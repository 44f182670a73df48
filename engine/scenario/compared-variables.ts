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

/** Units of the state variables. */
const UNITS: Readonly<Record<string, string>> = { h: 'm', hu: 'm²/s', hv: 'm²/s' };

/** @returns the unit of a state variable; empty where it has none */
export function unitOf(variable: string): string {
  return UNITS[variable] ?? '';
}

/** @returns a state variable's name with its unit, as heads and captions write it: `hu (m²/s)` */
export function nameWithUnit(variable: string): string {
  const unit = UNITS[variable];
  return unit === undefined ? variable : `${variable} (${unit})`;
}

/** @returns the observed ones of h, hu, hv, in the order of the state; h where nothing is observed */
export function comparedVariables({ observations }: Pick<Scenario, 'observations'>): readonly string[] {
  const judged = new Set(observations.flatMap(({ variable }) => JUDGES[variable]));
  const compared = STATE_VARIABLES.filter((variable) => judged.has(variable));
  return compared.length > 0 ? compared : ['h'];
}
