/** The explanation of an analysis in words: made here once, so that window and command line say the same. */
import type {
  DegreesOfFreedom,
  LocalWeights,
  MinimisationCourse,
  MinimisationExplanation,
  ObservationExplanation,
} from './explanation.ts';
import { methodDefinition } from './registry.ts';

/** A method as sentences are about it. */
export interface SpokenMethod {
  readonly label: string;
  readonly kind: string;
}

/** Ratios of trust that are called alike. */
const ALIKE = 1.05;

/** @returns what sentences call a method: `3D-Var`, `the LETKF`; its label where several are of one kind */
export function spokenName({ label, kind }: SpokenMethod, all: readonly SpokenMethod[]): string {
  if (all.filter((other) => other.kind === kind).length > 1) return `“${label}”`;
  const { title, shortTitle = title, trustsSpread } = methodDefinition(kind);
  // Filters are spoken of as the one or the other.
  return trustsSpread ? `the ${shortTitle}` : shortTitle;
}

function capitalised(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** Two significant digits; more would be a measurement. */
function times(ratio: number): string {
  return ratio < 10 ? ratio.toPrecision(2) : String(Math.round(Number(ratio.toPrecision(2))));
}

/** Three significant digits of what may be of any size. */
function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A number, its error in two significant digits and itself in as many decimals, and their unit: `1.0074 ± 0.0064 m`. */
function withError(value: number, error: number | undefined, unit: string): string {
  const after = unit === '' ? '' : ` ${unit}`;
  if (error === undefined || !(error > 0)) return `${digits(value)}${after}`;
  const decimals = 1 - Math.floor(Math.log10(error));
  const texts =
    decimals < 0 || decimals > 6
      ? [digits(value), digits(error)]
      : [value, error].map((each) => each.toFixed(decimals));
  return `${texts.join(' ± ')}${after}`;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

/** @returns what the analysis of a cell sees: `4 observations in reach, with weights that sum to 2.1; inflation 1.2` */
export function describeReach({
  observations,
  localisation,
  inflation,
}: Pick<LocalWeights, 'observations' | 'localisation' | 'inflation'>): string {
  const count = `${observations.length} ${observations.length === 1 ? 'observation' : 'observations'} in reach`;
  const sum = localisation.reduce((total, weight) => total + weight, 0);
  const weight = observations.length === 0 ? '' : `, with weights that sum to ${digits(sum)}`;
  return `${count}${weight}; inflation ${digits(inflation)}`;
}

export interface TrustedBackground extends SpokenMethod {
  /** σ of the background at the place; undefined where the method states none. */
  readonly deviation: number | undefined;
}

/**
 * How much methods trust their backgrounds in one place, against each other: trust is the weight 1/σ_b² that a background has beside
 * an observation of the same error.
 *
 * @returns one sentence for each that trusts its background less than the one that does most
 */
export function describeTrust(told: readonly TrustedBackground[]): readonly string[] {
  const known = told.flatMap((each) =>
    each.deviation !== undefined && each.deviation > 0 ? [{ ...each, trust: 1 / each.deviation ** 2 }] : [],
  );
  const [first, ...others] = known.sort((a, b) => b.trust - a.trust);
  if (!first) return [];
  const most = capitalised(spokenName(first, told));
  return others.map((other) => {
    const ratio = first.trust / other.trust;
    const less = spokenName(other, told);
    return ratio < ALIKE
      ? `${most} and ${less} trust their backgrounds alike here.`
      : `${most} trusts its background ${times(ratio)} times as much as ${less} does here.`;
  });
}

/**
 * @returns what an observation is to a method, and what it makes of it, in a sentence or two; without a word of the others where
 *   the gain together is omitted, as of an observation that is taken to have read something else
 */
export function describeObservation(
  method: SpokenMethod,
  all: readonly SpokenMethod[],
  { observation, unit, isUsed, prior, innovation, normalisedInnovation, alone, together }: ObservationExplanation,
): string {
  const who = capitalised(spokenName(method, all));
  const expected = withError(prior.mean, prior.deviation, unit);
  const read = withError(observation.value, observation.errorStd, unit);
  const distance =
    normalisedInnovation === undefined
      ? withError(Math.abs(innovation), undefined, unit)
      : `${digits(Math.abs(normalisedInnovation))} σ`;
  const begin = `${who} expects ${expected} and observes ${read}, ${distance} away`;
  if (!isUsed) return `${begin}: its quality control rejects the observation.`;
  if (alone.gain === undefined) return `${begin}.`;
  const byItself = `${begin}. By this observation alone it goes ${percent(alone.gain)} of the way there`;
  return together.gain === undefined
    ? `${byItself}.`
    : `${byItself}; with all of the cycle it went ${percent(together.gain)}.`;
}

/** @returns how much is determined by observations */
export function describeDegreesOfFreedom(
  method: SpokenMethod,
  all: readonly SpokenMethod[],
  { value, standardError, observations }: DegreesOfFreedom,
): string {
  const error = standardError > 0 ? ` ± ${standardError.toPrecision(1)}` : '';
  const share = observations === 0 ? '' : `, ${percent(value / observations)} of their number`;
  const noun = observations === 1 ? 'observation determines' : 'observations determine';
  return `${observations} ${noun} ${digits(value)}${error} degrees of freedom in ${spokenName(method, all)}${share}.`;
}

function counted({ iterations }: MinimisationCourse): string {
  return `${iterations} ${iterations === 1 ? 'iteration' : 'iterations'}`;
}

/** @returns how a minimisation went with its preconditioner and without */
export function describeMinimisation(
  method: SpokenMethod,
  all: readonly SpokenMethod[],
  { preconditioned, plain }: MinimisationExplanation,
): string {
  const who = capitalised(spokenName(method, all));
  const begin = preconditioned.converged
    ? `${who} converges in ${counted(preconditioned)}`
    : `${who} stops at the ${counted(preconditioned)} that it is allowed`;
  if (plain.converged) return `${begin}; without preconditioning it takes ${plain.iterations}.`;
  const left = digits(plain.residual[plain.iterations]);
  return `${begin}; without preconditioning the residual is ${left} of the first after ${plain.iterations}.`;
}
