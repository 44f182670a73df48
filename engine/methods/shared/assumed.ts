/** What a method makes of the observations where that is not what their networks say: the same of all of its observations. */
import { choice, quantity, section } from '../../settings/index.ts';

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
