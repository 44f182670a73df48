/** Random smooth surfaces as a setting: how high they are, how far they are correlated, and whether currents come with them. */
import { cellLength, choice, optionalSection, quantity } from './fields.ts';
import type { FieldHelp } from './fields.ts';

export interface PerturbationSettings {
  /** Standard deviation of the surface, m. */
  readonly standardDeviation: number;
  /** L of the correlation exp(−r²/2L²), m. */
  readonly length: number;
  readonly balance: 'none' | 'geostrophic';
}

export function perturbationSection(help: FieldHelp) {
  return optionalSection(help, {
    standardDeviation: quantity({
      title: 'Standard deviation',
      description: 'Of the surface’s elevation, at every place; 0 for no perturbation.',
      unit: 'm',
      minimum: 0,
      maximum: 1000,
      default: 0,
    }),
    length: cellLength({
      title: 'Length',
      description: 'L of the perturbation’s correlation exp(−r²/2L²) at distance r.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      cells: 5,
    }),
    balance: choice({
      title: 'Balance',
      description:
        'geostrophic: the currents that the Coriolis force would balance come with the perturbation of the surface.',
      words: ['none', 'geostrophic'],
      default: 'none',
    }),
  });
}
