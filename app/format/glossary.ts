/**
 * The terms of data assimilation that the application uses, each with a definition in one sentence. Lessons, the texts of
 * scenarios, charts and the settings form show a definition as a tooltip; GLOSSARY.md is made of the same list.
 */

export interface GlossaryTerm {
  /** The standard term. */
  readonly term: string;
  /** Words that mean the term in a text, beside the term itself and its plural: forms and near synonyms. */
  readonly forms?: readonly string[];
  /** One sentence. */
  readonly definition: string;
  /** Symbol in formulas, with the unit if it has one. */
  readonly notation?: string;
}

export const GLOSSARY: readonly GlossaryTerm[] = [
  {
    term: '4D-Var',
    definition:
      'Four-dimensional variational analysis: the beginning of a window from which the trajectory of the model fits all observations, each at its time.',
  },
  {
    term: '4DEnVar',
    definition:
      'A variational analysis of a window that takes the change of errors with time from the members of an ensemble, without an adjoint.',
  },
  {
    term: 'adjoint model',
    forms: ['adjoint'],
    definition:
      'The transpose of the tangent linear model, which carries the sensitivity to a state back to the times before it.',
    notation: 'M′ᵀ',
  },
  {
    term: 'additive inflation',
    definition:
      'Random fields that are added to the members in each cycle, so that the ensemble represents errors of the model.',
  },
  {
    term: 'analysis',
    forms: ['analyses'],
    definition: 'The estimate of the state after the observations of a cycle were used.',
    notation: 'xᵃ',
  },
  {
    term: 'anomaly',
    forms: ['anomalies'],
    definition: 'The difference of a member from the ensemble mean.',
    notation: 'X = x − x̄',
  },
  {
    term: 'background',
    definition: 'The estimate of the state before the observations are used: the forecast of the cycle before.',
    notation: 'xᶠ or xᵇ',
  },
  {
    term: 'background error covariance',
    forms: ['background covariance'],
    definition:
      'How large the errors of the background are, and how those of different places and variables are correlated.',
    notation: 'B, or P from an ensemble',
  },
  {
    term: 'bias',
    forms: ['biased'],
    definition: 'The mean of an error over many cases; it does not average out.',
  },
  {
    term: 'χ² per observation',
    forms: ['χ²/p', 'χ²'],
    definition:
      'The squared innovations divided by their expected variance; near 1 if the stated errors are consistent.',
    notation: 'dᵀS⁻¹d/p',
  },
  {
    term: 'conjugate gradients',
    definition: 'The iterative method that minimises the cost function of 3D-Var without storing a matrix.',
  },
  {
    term: 'correlated errors',
    forms: ['correlated', 'correlation'],
    definition: 'Errors that tend to have the same sign and size at neighbouring places or in related variables.',
  },
  {
    term: 'cost function',
    definition:
      'The sum of squared distances of a state from background and observations, each divided by its error variance; 3D-Var minimises it.',
    notation: 'J',
  },
  {
    term: 'CRPS',
    definition:
      'Continuous ranked probability score: the error of an ensemble as a distribution; the absolute error for one member.',
    notation: 'unit of the variable',
  },
  {
    term: 'cycle',
    definition: 'One forecast over the window between observations, followed by an analysis.',
  },
  {
    term: 'degrees of freedom for signal',
    forms: ['degrees of freedom'],
    definition: 'The number of independent pieces of information that an analysis takes from the observations.',
    notation: 'tr(HK)',
  },
  {
    term: 'divergence of a filter',
    forms: ['diverges', 'diverged', 'filter divergence'],
    definition:
      'The state of a method that has left what its model can represent, or that ignores the observations because its spread is too small.',
  },
  {
    term: 'DEnKF',
    definition: 'Deterministic EnKF: the mean moves by the whole gain, and the anomalies by half of it.',
  },
  {
    term: 'EAKF',
    definition:
      'Ensemble adjustment Kalman filter: an EnKF that takes observations one after the other and moves the state by regression on each.',
  },
  {
    term: 'ensemble',
    definition: 'Several states, the members, whose differences represent the uncertainty of their mean.',
  },
  {
    term: 'EnKF',
    definition: 'Ensemble Kalman filter: an analysis whose background error covariance is computed from the ensemble.',
  },
  {
    term: 'EnKF-N',
    definition: 'Finite-size EnKF: an LETKF that finds its inflation in each analysis, from how few members it has.',
  },
  {
    term: 'EnKS',
    definition:
      'Ensemble Kalman smoother: the EnKF’s weights of a cycle are applied to the members of earlier cycles as well.',
  },
  {
    term: 'first guess at appropriate time',
    forms: ['first guess'],
    definition:
      'The comparison of each observation with the forecast at the time of the observation, not at that of the analysis.',
  },
  {
    term: 'forecast',
    definition: 'The state that the model computes from the last analysis.',
    notation: 'xᶠ',
  },
  {
    term: 'free run',
    definition: 'A run of the model without observations; the reference for skill.',
  },
  {
    term: 'gain',
    forms: ['Kalman gain'],
    definition: 'The weights by which an innovation becomes an increment.',
    notation: 'K',
  },
  {
    term: 'geostrophic balance',
    forms: ['geostrophic', 'geostrophically'],
    definition:
      'The balance of pressure gradient and Coriolis force, by which a slope of the surface determines a current.',
  },
  {
    term: 'hybrid 3DEnVar',
    forms: ['hybrid'],
    definition:
      'A variational analysis whose background error covariance is a weighted sum of a static one and that of an ensemble.',
  },
  {
    term: 'hybrid 4D-Var',
    definition:
      'The 4D-Var whose background error covariance at the beginning of the window is a weighted sum of a static one and that of an ensemble.',
  },
  {
    term: 'IEnKS',
    definition:
      'Iterative ensemble Kalman smoother: the members at the beginning of a window are analysed by what is observed at its end, and moved through it again until they stay.',
  },
  {
    term: 'increment',
    definition: 'The analysis minus the background.',
    notation: 'xᵃ − xᶠ',
  },
  {
    term: 'inflation',
    definition:
      'A factor by which an ensemble’s anomalies are enlarged, because a small ensemble underestimates its errors.',
  },
  {
    term: 'innovation',
    forms: ['departure'],
    definition: 'An observation minus what the forecast expects for it.',
    notation: 'd = y − H(xᶠ)',
  },
  {
    term: 'LETKF',
    definition:
      'Local ensemble transform Kalman filter: an EnKF that makes a separate analysis at each grid point from the observations near it.',
  },
  {
    term: 'likelihood',
    definition: 'How probable an observation is for each possible state: a Gaussian with the observation error.',
    notation: 'p(y | x)',
  },
  {
    term: 'localisation',
    forms: ['localised', 'half-width'],
    definition:
      'Reduces the influence of an observation with distance, because the correlations that a small ensemble finds over large distances are mostly sampling error.',
    notation: 'half-width, m',
  },
  {
    term: 'member',
    definition: 'One of the states of an ensemble.',
  },
  {
    term: 'model error',
    definition: 'The difference between the model of the methods and the model that makes the truth.',
  },
  {
    term: 'nudging',
    definition:
      'An analysis that moves the forecast towards the observations by a fixed weight, without error statistics.',
  },
  {
    term: 'observation error',
    definition:
      'The difference between an observation and the true value at its place and time; its standard deviation is part of the settings.',
    notation: 'R, σₒ',
  },
  {
    term: 'observation operator',
    definition: 'The function that computes from a state what an observation would be.',
    notation: 'H',
  },
  {
    term: 'posterior',
    definition: 'The probability of a value after the observation was used: prior times likelihood.',
  },
  {
    term: 'prior',
    definition: 'The probability of a value before the observation is used: the forecast with its error.',
  },
  {
    term: 'quality control',
    definition: 'Rejects an observation whose innovation is larger than a multiple of its expected standard deviation.',
  },
  {
    term: 'rank histogram',
    definition:
      'How often the truth has each rank among the members; flat for a consistent ensemble, U-shaped for an underdispersive one.',
  },
  {
    term: 'RMSE',
    forms: ['root mean square error'],
    definition:
      'Root mean square error: the square root of the mean squared difference from the truth, over all cells.',
    notation: 'unit of the variable',
  },
  {
    term: 'sampling error',
    definition: 'The error of a covariance that is estimated from a finite number of members.',
  },
  {
    term: 'significantly different',
    definition: 'Different by more than chance explains, by a test over several seeds.',
  },
  {
    term: 'skill',
    definition:
      'One minus the ratio of a method’s error to that of the free run: 100 % is no error, 0 % is no better than the free run.',
    notation: '%',
  },
  {
    term: 'spin-up',
    definition:
      'The first cycles, which means over cycles omit because the methods still depend on their initial state.',
  },
  {
    term: 'spread',
    definition: 'The standard deviation of the members about their mean; it should match the error of the mean.',
    notation: 'unit of the variable',
  },
  {
    term: 'tangent linear model',
    forms: ['linearised model', 'tangent linear'],
    definition: 'The derivative of the model along a trajectory: how a small change of a state moves on with it.',
    notation: 'M′',
  },
  {
    term: 'truth',
    definition: 'The model run that produces the observations; the methods do not know it.',
    notation: 'xᵗ',
  },
  {
    term: 'twin experiment',
    definition: 'An experiment whose observations are drawn from a model run, the truth, so that every error is known.',
  },
  {
    term: 'underdispersive',
    forms: ['overdispersive'],
    definition: 'Said of an ensemble whose spread is smaller than its error; overdispersive if it is larger.',
  },
  {
    term: '3D-Var',
    definition:
      'Three-dimensional variational analysis: the state that minimises the cost function with a static background error covariance.',
  },
];

/** A part of a text: plain, or the first mention of a term with its definition. */
export interface GlossedPiece {
  readonly text: string;
  /** What the term means, with its notation; undefined for plain text. */
  readonly gloss?: string;
}

function wordsOf({ term, forms = [] }: GlossaryTerm): string[] {
  return [term, ...forms].flatMap((word) => [word, `${word}s`]);
}

/** The terms by each of their words in lower case. */
const BY_WORD: ReadonlyMap<string, GlossaryTerm> = new Map(
  GLOSSARY.flatMap((term) => wordsOf(term).map((word) => [word.toLowerCase(), term] as const)),
);

/** Finds any word of a term; of two that begin at one place, the longer. */
const WORD = new RegExp(
  `(?<![\\p{L}\\p{N}-])(?:${[...BY_WORD.keys()]
    .toSorted((a, b) => b.length - a.length)
    .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|')})(?![\\p{L}\\p{N}-])`,
  'giu',
);

/** @returns what a term means, with its notation: `The analysis minus the background (xᵃ − xᶠ).` */
function glossOf({ definition, notation }: GlossaryTerm): string {
  return notation === undefined ? definition : `${definition.replace(/\.$/, '')} (${notation}).`;
}

/** @returns the text in pieces; the first mention of each term has its definition */
export function glossedPieces(text: string): GlossedPiece[] {
  const pieces: GlossedPiece[] = [];
  const seen = new Set<GlossaryTerm>();
  let end = 0;
  for (const { 0: found, index } of text.matchAll(WORD)) {
    const term = BY_WORD.get(found.toLowerCase());
    if (!term || seen.has(term)) continue;
    seen.add(term);
    if (index > end) pieces.push({ text: text.slice(end, index) });
    pieces.push({ text: found, gloss: glossOf(term) });
    end = index + found.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end) });
  return pieces;
}

/** @returns a tooltip: the help of a setting, and the definitions of the terms in its title */
export function glossedHelp(title: string, help: string): string {
  const glosses = glossedPieces(title).flatMap(({ text, gloss }) => (gloss === undefined ? [] : [`${text}: ${gloss}`]));
  return [help, ...glosses].filter((line) => line !== '').join('\n');
}

/** @returns the terms with what they mean, in the order of the alphabet */
export function glossaryEntries(): readonly { readonly term: string; readonly gloss: string }[] {
  return GLOSSARY.toSorted((a, b) => a.term.localeCompare(b.term, 'en')).map((term) => ({
    term: term.term,
    gloss: glossOf(term),
  }));
}

/** @returns the glossary as Markdown: GLOSSARY.md */
export function glossaryMarkdown(): string {
  const entries = glossaryEntries().map(({ term, gloss }) => `- **${term}**: ${gloss}`);
  return `# Glossary\n\nThe terms of data assimilation that Shoal uses. Lessons, the texts of scenarios, charts and the settings form show the same definitions as tooltips.\n\n${entries.join('\n')}\n`;
}
