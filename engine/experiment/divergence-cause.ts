/**
 * Why a method diverged, judged by what its last cycles show and not by rote: each cause is tried by its own evidence, the
 * most certain first. The message gives the evidence and what helps.
 */
import { DivergenceError } from '../errors.ts';
import { methodDefinition } from '../methods/index.ts';
import {
  asTruth,
  deepestWater,
  describeIntervention,
  fastestWave,
  hasOwnModel,
  isSetting,
  noiseGrowth,
  physicsOf,
} from '../scenario/index.ts';
import type { Intervention, Scenario } from '../scenario/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import type { DivergenceCause, CycleDiagnostics, ByVariable } from './events.ts';
import { reachOf } from '../initial-states/index.ts';
import type { Model } from '../models/index.ts';

interface Implausible {
  readonly stage: 'forecast' | 'analysis';
  /** A clause: `its analysis has an RMSE of h of 1e+30 m`. */
  readonly found: string;
}

/**
 * Whether a state can still be one of this basin's, judged by the scores that are read anyway: right after an analysis, before
 * a forecast makes more of it. Kind: only what no useful run comes near is refused.
 */
export interface Plausibility {
  /** @param interventions up to the cycle: drops raise what there can be */
  judge(
    diagnostics: Pick<CycleDiagnostics, 'rmse' | 'spread'>,
    interventions?: readonly Intervention[],
  ): Implausible | undefined;
}

/** Errors and spreads of this many times the depth, or the depth times the speed of its waves, mean nothing any more. */
const MANY_DEPTHS = 10;

/** Depth of the water with what is raised on it at the start, m; infinite for a model without water. */
function scaleOf(scenario: Scenario, { bed, surface }: Model): number {
  if (surface === undefined) return Infinity;
  const deepest = bed ? bed.reduce((most, elevation) => Math.max(most, -elevation), 0) : 0;
  const raised = [scenario.truth.initial, scenario.background.initial].map((initial) => reachOf(initial).highest);
  const depth = deepest + Math.max(...raised);
  return depth > 0 ? depth : Infinity;
}

export function createPlausibility(scenario: Scenario, model: Model): Plausibility {
  const beginning = scaleOf(scenario, model);
  const { gravity } = physicsOf(scenario.model);

  /** The largest plausible value of each variable. */
  const mostAfter = (interventions: readonly Intervention[]): readonly number[] => {
    const dropped = interventions.reduce((sum, each) => sum + (each.kind === 'drop' ? Math.max(0, each.height) : 0), 0);
    const depth = beginning + dropped;
    const flux = Number.isFinite(depth) ? depth * Math.sqrt(gravity * depth) : Infinity;
    return model.variables.map((_, index) => MANY_DEPTHS * (index === 0 ? depth : flux));
  };
  const wrong = (what: string, values: ByVariable, most: readonly number[]): string | undefined => {
    for (const [index, { name, unit }] of model.variables.entries()) {
      const value = values[name];
      // A method with one member has no spread.
      if (value === undefined) continue;
      if (Number.isFinite(value) && value <= most[index]) continue;
      return `${what} of ${name} ${Number.isFinite(value) ? `of ${value.toPrecision(3)} ${unit}` : 'that is no number'}`;
    }
    return undefined;
  };

  return {
    judge({ rmse, spread }, interventions = []) {
      const most = mostAfter(interventions);
      for (const stage of ['forecast', 'analysis'] as const) {
        const found = wrong('an RMSE', rmse[stage], most) ?? wrong('a spread', spread[stage], most);
        if (found) return { stage, found: `its ${stage} has ${found}` };
      }
      return undefined;
    },
  };
}

/** Evidence of the first variable, in its unit; spread is 0 for a method with one member. */
export interface EvidenceRow {
  readonly cycle: number;
  readonly forecastSpread: number;
  readonly analysisSpread: number;
  readonly forecastError: number;
  readonly analysisError: number;
  /** Mean of the innovations' squares over their expected variance; NaN in a cycle without observations. */
  readonly normalisedSquares: number;
}

export interface Evidence {
  readonly rows: readonly EvidenceRow[];
  add(diagnostics: CycleDiagnostics): void;
  /** All of it as numbers, for a checkpoint, and its return. */
  state(): Float64Array;
  restore(state: Float64Array): void;
}

/** Cycles that are kept. */
const MOST_ROWS = 50;
/** Numbers of a row. */
const ROW = 6;

export function createEvidence(): Evidence {
  let rows: EvidenceRow[] = [];
  return {
    get rows() {
      return rows;
    },
    add({ cycle, rmse, spread, innovation }) {
      const [variable] = Object.keys(rmse.analysis);
      const row = {
        cycle,
        forecastSpread: spread.forecast[variable] ?? 0,
        analysisSpread: spread.analysis[variable] ?? 0,
        forecastError: rmse.forecast[variable],
        analysisError: rmse.analysis[variable],
        normalisedSquares: innovation?.normalisedSquares ?? Number.NaN,
      };
      rows = [...rows, row].slice(-MOST_ROWS);
    },
    state: () =>
      Float64Array.from(
        rows.flatMap((row) => [
          row.cycle,
          row.forecastSpread,
          row.analysisSpread,
          row.forecastError,
          row.analysisError,
          row.normalisedSquares,
        ]),
      ),
    restore(state) {
      rows = Array.from({ length: Math.floor(state.length / ROW) }, (_, index) => {
        const [cycle, forecastSpread, analysisSpread, forecastError, analysisError, normalisedSquares] = state.subarray(
          index * ROW,
          (index + 1) * ROW,
        );
        return { cycle, forecastSpread, analysisSpread, forecastError, analysisError, normalisedSquares };
      });
    },
  };
}

export interface Suspect {
  /** As it was when the run began, with its interventions. */
  readonly scenario: Scenario;
  /** With the settings of the cycle that went wrong. */
  readonly now: Scenario;
  /** Index of the method in the scenario. */
  readonly index: number;
  readonly cycle: number;
  /** Rows of the cycles before that one, ascending. */
  readonly rows: readonly EvidenceRow[];
  /** Greatest depth of the water at rest, m; undefined without water. */
  readonly deepest?: number | undefined;
  /** Name and unit of the variable that the evidence is of. */
  readonly variable: { readonly name: string; readonly unit: string };
}

export interface Finding {
  readonly cause: DivergenceCause;
  /** A clause without a full stop, and a sentence on what helps. */
  readonly evidence: string;
  readonly remedy: string;
  readonly edits: readonly Intervention[];
}

/** Cells that a wave may cross in a step, at most, whatever the scheme: 1/√2 in two dimensions. */
const LARGEST_COURANT = Math.SQRT1_2;
/** Growth that is more than the ups and downs between forecasts and analyses of a filter that works. */
const GROWN = 2;
/** Innovations of three times their standard deviation on the average are not by chance. */
const LARGE_SQUARES = 9;
/** Noise that has grown by e as often as this is as large as the waves. */
const MANY_FOLDINGS = 5;
/** Share of the cycles in which analyses must be worse than forecasts. */
const MOSTLY = 0.5;

/** How often a scheme's noise has grown by e by the end of a cycle. */
function foldingsOf({ scenario, cycle }: Suspect): number {
  const { truth, experiment } = scenario;
  const growth = noiseGrowth(scenario);
  return growth ? (truth.spinup + (cycle + 1) * experiment.window) / growth.foldingSeconds : 0;
}

/** The scheme's own noise, where it had time to grow. */
function schemeClue(suspect: Suspect): Clue | undefined {
  const foldings = foldingsOf(suspect);
  if (foldings < MANY_FOLDINGS) return undefined;
  return {
    cause: 'unstable-scheme',
    evidence: `"lax-wendroff" amplifies diagonal waves: by now by e to the power of ${digits(foldings)}`,
    remedy: 'Use the scheme "richtmyer" or "central-upwind", or shorter time steps.',
  };
}

type Clue = Pick<Finding, 'cause' | 'evidence' | 'remedy'>;

function digits(value: number): string {
  return String(Number(value.toPrecision(2)));
}

function cyclesText(count: number): string {
  return count === 1 ? 'one cycle' : `${count} cycles`;
}

/** The Courant number of the fastest wave that the scenario begins with. */
function courantClue({ scenario, deepest }: Pick<Suspect, 'scenario' | 'deepest'>): Clue | undefined {
  const { model, grid } = scenario;
  const wave = fastestWave(scenario, deepest);
  if (model.timeStep === 'auto' || wave === undefined) return undefined;
  const width = Math.min(grid.dx, grid.dy);
  const courant = (wave * model.timeStep) / width;
  if (courant <= LARGEST_COURANT) return undefined;
  return {
    cause: 'time-step',
    evidence: `a wave of ${digits(wave)} m/s crosses ${digits(courant)} cells in a time step of ${model.timeStep} s`,
    remedy: `Stable are steps up to ${digits((LARGEST_COURANT * width) / wave)} s; "auto" chooses them.`,
  };
}

/** The least spread and the largest after it, of forecasts and analyses in turn. */
function spreadGrowth(rows: readonly EvidenceRow[]) {
  const spreads = rows.flatMap(({ cycle, forecastSpread, analysisSpread }) => [
    { cycle, spread: forecastSpread },
    { cycle, spread: analysisSpread },
  ]);
  if (spreads.length === 0) return undefined;
  const least = spreads.reduce((a, b) => (b.spread < a.spread ? b : a));
  const largest = spreads.slice(spreads.indexOf(least)).reduce((a, b) => (b.spread > a.spread ? b : a));
  return { from: least.spread, to: largest.spread, cycles: largest.cycle - least.cycle + 1 };
}

/** The cycles from the edits on, or all if there are none. */
function since(rows: readonly EvidenceRow[], edits: readonly Intervention[]): readonly EvidenceRow[] {
  const first = edits[0]?.cycle ?? 0;
  return rows.filter(({ cycle }) => cycle >= first);
}

function spreadClue({ now, index, rows, variable }: Suspect, edits: readonly Intervention[]): Clue | undefined {
  const method = now.methods[index];
  const source = methodDefinition(method.kind).spreadSource?.(method);
  const growth = spreadGrowth(since(rows, edits));
  if (!source || !growth || !(growth.to > GROWN * growth.from)) return undefined;
  const numbers = `from ${digits(growth.from)} to ${digits(growth.to)} ${variable.unit}`;
  return {
    cause: 'inflation',
    evidence: `${source.what} makes the spread grow: that of ${variable.name} went ${numbers} in ${cyclesText(growth.cycles)}`,
    remedy: source.remedy,
  };
}

function innovationClue({ rows }: Suspect, edits: readonly Intervention[]): Clue | undefined {
  const squares = since(rows, edits)
    .map(({ normalisedSquares }) => normalisedSquares)
    .filter((value) => !Number.isNaN(value));
  const typical = squares.toSorted((a, b) => a - b)[Math.floor(squares.length / 2)];
  if (typical === undefined || typical <= LARGE_SQUARES) return undefined;
  return {
    cause: 'observation-error',
    evidence: `innovations were ${digits(Math.sqrt(typical))} times as large as the errors of background and observations allow`,
    remedy: 'Raise errorStandardDeviation of the observations, or the spread or standard deviation of the background.',
  };
}

function analysisClue({ rows, variable }: Suspect, edits: readonly Intervention[]): Clue | undefined {
  const observed = since(rows, edits).filter(({ normalisedSquares }) => !Number.isNaN(normalisedSquares));
  const worse = observed.filter(({ forecastError, analysisError }) => analysisError > forecastError);
  const last = worse.at(-1);
  if (!last || worse.length <= MOSTLY * observed.length) return undefined;
  const numbers = `in cycle ${last.cycle} the RMSE of ${variable.name} went from ${digits(last.forecastError)} to ${digits(last.analysisError)} ${variable.unit}`;
  return {
    cause: 'analysis',
    evidence: `analyses were worse than forecasts in ${worse.length} of ${cyclesText(observed.length)}: ${numbers}`,
    remedy: 'The errors that are assumed of background and observations, or their reach, do not fit.',
  };
}

function unknownClue({ rows, variable, cycle }: Suspect, edits: readonly Intervention[]): Clue {
  const [first, last] = [rows[0], rows.at(-1)];
  const evidence =
    first && last
      ? `its RMSE of ${variable.name} went from ${digits(first.analysisError)} to ${digits(last.analysisError)} ${variable.unit} in the ${cyclesText(rows.length)} before`
      : `it happened in cycle ${cycle}, before there was anything to compare with`;
  const remedy =
    edits.length > 0
      ? 'Go back to before the change.'
      : 'No setting is suspicious; compare with the free run: what breaks both is the model, not the method.';
  return { cause: 'unknown', evidence, remedy };
}

/** Whether a change has a part in what a method makes of the observations: its own, of the observations, or of the water. */
function hasPart(edit: Intervention, index: number): boolean {
  if (!isSetting(edit)) return edit.kind !== 'island';
  return edit.path.startsWith(`methods[${index}].`) || edit.path.startsWith('observations[');
}

/** The latest changes that have a part in it, where the evidence reaches back to them. */
function relevantEdits({ scenario, index, cycle, rows }: Suspect): readonly Intervention[] {
  const reach = rows[0]?.cycle ?? cycle;
  const mine = scenario.interventions.filter(
    (edit) => edit.cycle >= reach && edit.cycle <= cycle && hasPart(edit, index),
  );
  const latest = mine.at(-1)?.cycle;
  return mine.filter((edit) => edit.cycle === latest);
}

/** The changes in words. */
function editsText({ scenario }: Suspect, edits: readonly Intervention[]): string {
  const [first] = edits;
  if (!first) return '';
  const words = edits.map((edit) => describeIntervention(scenario, edit));
  return ` (at cycle ${first.cycle} ${words.join(', ')})`;
}

/** @returns the likely cause of a method's divergence */
export function findCause(suspect: Suspect): Finding {
  const edits = relevantEdits(suspect);
  const clue =
    courantClue(suspect) ??
    spreadClue(suspect, edits) ??
    schemeClue(suspect) ??
    innovationClue(suspect, edits) ??
    analysisClue(suspect, edits) ??
    unknownClue(suspect, edits);
  return { ...clue, evidence: clue.evidence + editsText(suspect, edits), edits };
}

/** What is wrong with the model itself, if its truth or its ensemble diverges before any method has a part in it. */
function adviceFor(scenario: Scenario, deepest: number | undefined): string {
  const models = hasOwnModel(scenario) ? [scenario, asTruth(scenario)] : [scenario];
  const clues = models.map((each) => courantClue({ scenario: each, deepest }));
  const clue = clues.find((each) => each !== undefined);
  if (clue) return `Likely cause: ${clue.evidence}. ${clue.remedy}`;
  return 'No time step of this scenario is too long: look at what raises or drives the water, or at the bathymetry.';
}

/**
 * @param files of the scenario, which may give the bed
 * @returns for `catch`: names the likely cause of a divergence of the model
 */
export function withCause(scenario: Scenario, files: ScenarioFiles): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof DivergenceError)) throw error;
    throw new DivergenceError(error.divergence, error.context, adviceFor(scenario, deepestWater(scenario, files)));
  };
}
