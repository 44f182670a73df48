/**
 * What a method makes of the observations: the settings of what it assumes where that is not what their networks say, the same of all of
 * its observations, and of correlated errors as such; and what these mean for a scenario.
 */
import { choice, quantity, section, type Problem, type Situation } from '../../settings/index.ts';
import { HOST_BYTES } from '../definition.ts';

const TITLE = 'Assumed';

const firstGuess = choice({
  title: 'First guess',
  description:
    'What an observation inside the window is compared with: the method’s forecast at its own time, or at the analysis, as if it had been made then; by-network: as timing.firstGuess of each network says.',
  words: ['by-network', 'at-observation', 'at-analysis'],
  default: 'by-network',
});

const errorFactor = quantity({
  title: 'Error factor',
  description:
    'Times the error that the method takes for the observations’, beside assumed.errorFactor of their networks: above 1 is the usual remedy for errors that are correlated.',
  minimum: 0.01,
  maximum: 1000,
  default: 1,
});

const about = (description: string) => ({ title: TITLE, description });

/** Omitted where a method takes observations for what networks say: files from before do not say it, and their runs continue. */
export const assumedField = (() => {
  const help = about('What the method makes of the observations; if omitted, what their networks say.');
  return section(help, { firstGuess, errorFactor }).optional().meta(help);
})();

/** Times field of a method that knows no errors. */
export const assumedTimesField = (() => {
  const help = about('When the method takes the observations to be made; if omitted, when their networks say.');
  return section(help, { firstGuess }).optional().meta(help);
})();

/** What a method makes of the observations. */
export interface Assumptions {
  /** Whether those inside the window are compared with the forecast at their own time; undefined where their network says. */
  readonly isInTime: boolean | undefined;
  /** Times the error that their network has methods take for theirs. */
  readonly errorFactor: number;
}

interface Assuming {
  readonly kind: string;
  readonly assumed?:
    | { readonly firstGuess: 'by-network' | 'at-observation' | 'at-analysis'; readonly errorFactor?: number }
    | undefined;
}

export function assumptionsOf({ assumed }: Assuming): Assumptions {
  const { firstGuess: compared = 'by-network', errorFactor: factor = 1 } = assumed ?? {};
  return { isInTime: compared === 'by-network' ? undefined : compared === 'at-observation', errorFactor: factor };
}

const WORDS = ['ignored', 'full'] as const;

export type ErrorCorrelationChoice = (typeof WORDS)[number];

/** @param full what it does with R whole */
export function errorCorrelationField(full: string) {
  return choice({
    title: 'Correlated errors',
    description: `What it makes of correlated observation errors. ignored: all are treated as independent. full: ${full}`,
    words: WORDS,
    default: 'ignored',
  });
}

/** Where it is without effect. */
export function errorCorrelationWarnings(taken: ErrorCorrelationChoice, { networks }: Situation): Problem[] {
  if (taken === 'ignored' || networks.some(({ together }) => together !== undefined)) return [];
  const message = '"full", and the errors of no network are correlated: it is without effect';
  return [{ path: ['errorCorrelation'], message }];
}

/** @returns of a new method that can have R whole: that it does where errors are correlated */
export function proposedErrorCorrelation({ networks }: Situation): { readonly errorCorrelation?: 'full' } {
  return networks.some(({ together }) => together !== undefined) ? { errorCorrelation: 'full' } : {};
}

/** Entries of C on its diagonal and below, 1 of an observation that goes with none. */
export function correlatedEntries({ networks, observations }: Situation): number {
  return networks.reduce(
    (sum, { capacity = 0, together = 1 }) => sum + (capacity * (together - 1)) / 2,
    Math.max(1, observations),
  );
}

interface Taking {
  readonly errorCorrelation: ErrorCorrelationChoice;
}

/** What a method with this setting takes correlated errors for. */
export function takenErrors({ errorCorrelation }: Taking): 'independent' | 'whole' {
  return errorCorrelation === 'full' ? 'whole' : 'independent';
}

/** What a minimisation with R whole needs beside one with independent errors. */
export interface WholeErrorsCost {
  /** Reals on the backend, and bytes on the host. */
  readonly elements: number;
  readonly hostBytes: number;
  /** Arithmetic of L⁻¹ and of its adjoint in each iteration. */
  readonly product: number;
  /** Arithmetic of Cholesky factors and their inverses: once where the same observations are used, else in each analysis. */
  readonly once: number;
  readonly each: number;
}

/** A third of the places’ third power for L, and as much for L⁻¹. */
function factorisation(networks: Situation['networks']): number {
  return networks.reduce((sum, { together = 0 }) => sum + (2 * together ** 3) / 3, 0);
}

export function wholeErrorsCost(taken: ErrorCorrelationChoice, situation: Situation): WholeErrorsCost {
  if (taken === 'ignored') return { elements: 0, hostBytes: 0, product: 0, once: 0, each: 0 };
  const { networks, observations } = situation;
  const entries = correlatedEntries(situation);
  const squares = networks.reduce((sum, { together = 0 }) => sum + together ** 2, 0);
  const rejecting = networks.filter(({ qualityControl }) => qualityControl > 0);
  return {
    // L⁻¹ by rows and, as places in them, by columns; and the departures.
    elements: 4 * entries + 4 * observations,
    // Of each block L while L⁻¹ is made of it.
    hostBytes: squares * HOST_BYTES,
    product: 4 * entries,
    once: factorisation(networks),
    each: factorisation(rejecting),
  };
}
