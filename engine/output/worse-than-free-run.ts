/**
 * Variables, observed or not, in which a method is worse than the free run, each with its likely cause. A skill is of the variables
 * that are observed: a method can gain there and lose in the others, most of all in long runs. The cause is judged by the evidence
 * in the rows, the most certain first.
 */
import type { MethodDivergence, MethodSummary } from '../experiment/index.ts';
import { methodDefinition } from '../methods/index.ts';
import { modelKindDefinition } from '../model-kinds/index.ts';
import { comparedVariables, type Scenario } from '../scenario/index.ts';
import { listWords } from '../settings/index.ts';
import { pairSeries, type CycleValues, type VariableTrack } from './cycle-series.ts';
import type { RunSummary } from './summary.ts';

type WorseCause =
  /** The method left what its model can represent. */
  | 'divergence'
  /** The analysis does not change the variable. */
  | 'uncorrected'
  /** The ensemble is much surer than it is right. */
  | 'too-little-spread'
  /** Inflation or relaxation makes the spread grow where observations do not reduce it. */
  | 'inflation'
  /** The analysis adds error to a variable that is not observed, by the correlations of members. */
  | 'spurious-correlations'
  /** The analysis adds error to a variable that is observed, or by a covariance that is set. */
  | 'error-statistics'
  /** The error grows in what is not observed, and the analysis does not remove as much. */
  | 'unobserved-growth'
  | 'unknown';

export interface WorseThanFreeRun {
  /** Label. */
  readonly method: string;
  readonly variable: string;
  readonly isObserved: boolean;
  /** Whether it is so over all counted cycles or over their last quarter only, which shows drift. */
  readonly over: 'run' | 'last-quarter';
  /** Means of the RMSE of the analysis over these cycles, in the variable's unit. */
  readonly error: number;
  readonly freeRunError: number;
  readonly cause: WorseCause;
  /** A sentence with the numbers, and one with the likely cause and what helps. */
  readonly words: string;
}

/** Smaller differences are not worth a warning. */
const NEGLIGIBLE = 1.01;
/** The last quarter of fewer cycles is one cycle, which says nothing of drift. */
const FEWEST_CYCLES = 8;
/** An analysis that changes the error by less than this share leaves the variable as it is. */
const UNCHANGED = 1e-3;
/** A spread below this share of the error, and χ²/p above this, are far from consistent. */
const LITTLE_SPREAD = 0.5;
const LARGE_CHI_SQUARE = 2;
/** Growth from the first quarter of a run to the last that is more than the ups and downs of a filter that works. */
const GROWN = 2;

interface Suspect {
  readonly method: string;
  readonly variable: string;
  readonly isObserved: boolean;
  readonly track: VariableTrack;
  readonly chiSquare: number;
  readonly divergedAt: number | undefined;
  /** What lets the spread grow. */
  readonly source: { readonly what: string; readonly remedy: string } | undefined;
  /** Whether the settings have a covariance, with or without balance. */
  readonly hasCovariance: boolean;
  /** Whether members say how variables are correlated. */
  readonly hasMembers: boolean;
}

interface Clue {
  readonly cause: WorseCause;
  /** A clause without a full stop, and what helps. */
  readonly evidence: string;
  readonly remedy: string;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function quarterOf(values: readonly number[]): number {
  return Math.ceil(values.length / 4);
}

function meanOfFirst({ values }: CycleValues): number {
  return meanOf(values.slice(0, quarterOf(values)));
}

function meanOfLast({ values }: CycleValues): number {
  return meanOf(values.slice(-quarterOf(values)));
}

function digits(value: number): string {
  return String(Number(value.toPrecision(2)));
}

function growthOf(track: CycleValues): number {
  return meanOfLast(track) / meanOfFirst(track);
}

function divergenceClue({ divergedAt }: Suspect): Clue | undefined {
  if (divergedAt === undefined) return undefined;
  const evidence = `the method diverged in cycle ${divergedAt}, and its errors grew before`;
  return { cause: 'divergence', evidence, remedy: 'The message of the divergence says what helps.' };
}

function uncorrectedClue({ variable, track, hasCovariance }: Suspect): Clue | undefined {
  const [before, after] = [meanOf(track.forecastError.values), meanOf(track.error.values)];
  if (Math.abs(after - before) > UNCHANGED * before) return undefined;
  return {
    cause: 'uncorrected',
    evidence: `the analysis does not change ${variable} while it changes other variables, which puts the state out of balance`,
    remedy: hasCovariance
      ? `A covariance with "balance" also corrects ${variable}, if the flow is near geostrophic balance; observations of ${variable} always do.`
      : `Observations of ${variable} correct it.`,
  };
}

function spreadClue({ variable, track, chiSquare }: Suspect): Clue | undefined {
  const [spread, error] = [meanOf(track.spread.values), meanOf(track.error.values)];
  const isSmall = spread > 0 && spread < LITTLE_SPREAD * error;
  if (!isSmall && !(spread > 0 && chiSquare > LARGE_CHI_SQUARE)) return undefined;
  return {
    cause: 'too-little-spread',
    evidence: isSmall
      ? `the spread of ${variable} is ${digits(spread / error)} of its error, so that the ensemble is underdispersive`
      : `χ²/p is ${digits(chiSquare)} instead of 1, so that the ensemble is underdispersive`,
    remedy: 'More inflation or more members help.',
  };
}

function inflationClue({ variable, isObserved, track, source }: Suspect): Clue | undefined {
  const growth = growthOf(track.spread);
  if (isObserved || !source || !(growth > GROWN)) return undefined;
  return {
    cause: 'inflation',
    evidence: `${source.what} makes the spread of ${variable} grow where no observation reduces it: ${digits(growth)} times from the first quarter of the run to the last`,
    remedy: source.remedy,
  };
}

/** @returns two numbers with as many digits as distinguish them, up to four */
function apart(a: number, b: number): readonly [string, string] {
  const written = [2, 3, 4].map((places) => [a, b].map((value) => String(Number(value.toPrecision(places)))));
  const [first, second] = written.find(([one, other]) => one !== other) ?? written[0];
  return [first, second];
}

function analysisClue({ variable, isObserved, hasMembers, track }: Suspect): Clue | undefined {
  const [before, after] = [meanOf(track.forecastError.values), meanOf(track.error.values)];
  if (!(after > before)) return undefined;
  const [from, to] = apart(before, after);
  const evidence = `analyses increase the error of ${variable}, on average from ${from} to ${to}`;
  if (isObserved) {
    const remedy = 'The errors that are assumed of background and observations, or their reach, do not fit.';
    return { cause: 'error-statistics', evidence, remedy };
  }
  if (!hasMembers) {
    return {
      cause: 'error-statistics',
      evidence: `${evidence}: the covariance that is set relates it to what is observed otherwise than errors are`,
      remedy: `Standard deviations and a length that fit the errors, also of ${variable}, or observations of ${variable} help.`,
    };
  }
  return {
    cause: 'spurious-correlations',
    evidence: `${evidence}: what is observed is hardly correlated with it, and the sample correlations are mostly noise`,
    remedy: `More members, a smaller half-width or observations of ${variable} help.`,
  };
}

function growthClue({ variable, isObserved, track }: Suspect): Clue | undefined {
  const growth = growthOf(track.error);
  if (isObserved || !(growth > GROWN)) return undefined;
  return {
    cause: 'unobserved-growth',
    evidence: `its error grows ${digits(growth)} times from the first quarter of the run to the last: observations do not see all of ${variable}, and analyses remove less than forecasts add`,
    remedy: `Observations of ${variable}, or less inflation, help.`,
  };
}

const NO_CLUE: Clue = {
  cause: 'unknown',
  evidence: 'the rows show no single cause',
  remedy: 'Consistency and rank histograms may say more.',
};

function clueOf(suspect: Suspect): Clue {
  return (
    divergenceClue(suspect) ??
    uncorrectedClue(suspect) ??
    inflationClue(suspect) ??
    spreadClue(suspect) ??
    analysisClue(suspect) ??
    growthClue(suspect) ??
    NO_CLUE
  );
}

interface Means {
  readonly over: WorseThanFreeRun['over'];
  readonly error: number;
  readonly freeRunError: number;
}

/** @returns whether a mean error is larger than the free run's by more than a hundredth, which is worth a warning */
export function isWorseThanFree(error: number, freeRunError: number): boolean {
  return error > NEGLIGIBLE * freeRunError;
}

/** @returns the means over which it is worse, all cycles first; undefined if over none */
function worseMeans(own: CycleValues, free: CycleValues): Means | undefined {
  const { a, b, stride } = pairSeries(own, free);
  if (a.length === 0) return undefined;
  const quarter = quarterOf(a);
  const candidates: Means[] = [
    { over: 'run', error: meanOf(a), freeRunError: meanOf(b) },
    ...(a.length * stride < FEWEST_CYCLES
      ? []
      : [{ over: 'last-quarter', error: meanOf(a.slice(-quarter)), freeRunError: meanOf(b.slice(-quarter)) } as const]),
  ];
  return candidates.find(({ error, freeRunError }) => isWorseThanFree(error, freeRunError));
}

function describe(
  { method, variable, isObserved }: Suspect,
  { over, error, freeRunError }: Means,
  { evidence, remedy }: Clue,
  unit: string,
): string {
  const what = `${variable}${isObserved ? '' : ', which is not observed'}`;
  const period = over === 'run' ? 'over the run' : 'over the last quarter of the run';
  const numbers = `${digits(error)} against ${digits(freeRunError)}${unit === '' ? '' : ` ${unit}`}`;
  return `${method} is worse than the free run in ${what}: its error ${period} is ${numbers}. Likely cause: ${evidence}. ${remedy}`;
}

/** @returns `letkf is worse than the free run in hu and hv`, a line for each method */
export function worseInShort(found: readonly WorseThanFreeRun[]): readonly string[] {
  return [...new Set(found.map(({ method }) => method))].map((method) => {
    const variables = found.filter((each) => each.method === method).map(({ variable }) => variable);
    return `${method} is worse than the free run in ${listWords(variables, 'and')}`;
  });
}

/**
 * @param summary of the rows of the run, of all methods and variables
 * @param diverged the methods that did, whose errors are of the cycles before
 * @returns an entry for each method and variable, by methods in their order; empty without a free run
 */
export function worseThanFreeRun(
  scenario: Scenario,
  methods: readonly MethodSummary[],
  summary: Pick<RunSummary, 'tracks'>,
  diverged: readonly Pick<MethodDivergence, 'method' | 'cycle'>[] = [],
): readonly WorseThanFreeRun[] {
  const free = methods.find(({ kind }) => !methodDefinition(kind).assimilates);
  const freeTracks = free && summary.tracks(free.label);
  if (!freeTracks) return [];
  const observed = scenario.observations.length > 0 ? comparedVariables(scenario) : [];
  const { variables } = modelKindDefinition(scenario.model);
  return methods.flatMap(({ label: method, kind }) => {
    const tracks = method === free.label ? undefined : summary.tracks(method);
    const settings = scenario.methods.find(({ label }) => label === method);
    return variables.flatMap(({ name: variable, unit }): WorseThanFreeRun[] => {
      const [track, freeTrack] = [tracks?.variables.get(variable), freeTracks.variables.get(variable)];
      const means = track && freeTrack && worseMeans(track.error, freeTrack.error);
      if (!tracks || !track || !means) return [];
      const suspect: Suspect = {
        method,
        variable,
        isObserved: observed.includes(variable),
        track,
        chiSquare: tracks.chiSquare,
        divergedAt: diverged.find((each) => each.method === method)?.cycle,
        source: settings && methodDefinition(kind).spreadSource?.(settings),
        hasCovariance: settings !== undefined && 'covariance' in settings,
        hasMembers: methodDefinition(kind).carries === 'ensemble',
      };
      const clue = clueOf(suspect);
      const words = describe(suspect, means, clue, unit);
      return [{ method, variable, isObserved: suspect.isObserved, ...means, cause: clue.cause, words }];
    });
  });
}
