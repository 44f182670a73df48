/**
 * What a kind of background-error covariance is: the settings that all kinds share, and the filter F whose square F Fᵀ is its
 * correlation. Each kind is one definition, listed in `registry.ts`.
 */
import { z } from 'zod';
import type { Backend, Prepared } from '../../compute/backend.ts';
import type { Grid } from '../../models/index.ts';
import type { FilterBands } from '../../operators/filtered-minimisation/index.ts';
import {
  balanceProblem,
  choice,
  describeValue,
  farthest,
  kindSchema,
  lengthUnit,
  listWords,
  quantity,
  requiredQuantity,
  tidy,
  toggle,
  cellLength,
} from '../../settings/index.ts';
import type { BasinSettings, KindDefinition, KindHelp, Problem, Situation } from '../../settings/index.ts';
import { around, legibleEnds, type MethodTuning, type TunableSetting } from '../definition.ts';

const deviation = (variable: string, unit: string) =>
  quantity({
    title: variable,
    description: `Standard deviation of the background error of ${variable}; 0 for no increment of its own.`,
    unit,
    minimum: 0,
    maximum: 1e6,
    default: 0,
  });

const sharedFields = {
  length: cellLength({
    title: 'Length',
    description: 'L of the correlation exp(−r²/2L²) of the background errors at distance r.',
    unit: 'm',
    above: 0,
    maximum: 1e8,
    cells: 4,
  }),
  standardDeviation: z
    .strictObject({
      h: deviation('h', 'm'),
      hu: deviation('hu', 'm²/s'),
      hv: deviation('hv', 'm²/s'),
      x: requiredQuantity({
        title: 'x',
        description: 'Standard deviation of the background error of x, with the model "lorenz-96".',
        minimum: 0,
        maximum: 1e6,
      }).optional(),
    })
    .prefault({ h: 0.05 })
    .meta({
      title: 'Standard deviation',
      description:
        'Of the background error, by variable; a variable omitted gets no increment unless the balance makes one.',
    }),
  normalised: toggle({
    title: 'Normalised',
    description: 'Unit variance everywhere before the standard deviation is applied, also near walls.',
    default: true,
  }),
  balance: choice({
    title: 'Balance',
    description: 'geostrophic: an increment of h brings the momenta that the Coriolis force would balance.',
    words: ['none', 'geostrophic'],
    default: 'none',
  }),
};

/** Settings that every covariance has, with every default filled in. */
export type SharedCovariance = z.output<z.ZodObject<typeof sharedFields>>;

/**
 * @param name as the file writes the kind
 * @param help title and description, and what the field `kind` says
 * @param shape settings of its own
 */
export function covarianceSchema<const Kind extends string, Shape extends z.core.$ZodLooseShape>(
  name: Kind,
  help: KindHelp,
  shape: Shape,
) {
  return kindSchema(name, help, { ...sharedFields, ...shape });
}

type Filter = Prepared<{ input: 'real'; output: 'real' }>;

/** F on a number of planes, with what is known of F Fᵀ: the product of one matrix an axis. */
interface CovarianceFilter {
  readonly forward: Filter;
  readonly adjoint: Filter;
  /** F and Fᵀ as banded matrices along the axes, to float32. */
  readonly bands: () => FilterBands;
  /** Elements of F Fᵀ along an axis. */
  readonly gramX: (a: number, b: number) => number;
  readonly gramY: (a: number, b: number) => number;
  /** Its diagonals, [nx] and [ny]. */
  readonly varianceX: Float64Array;
  readonly varianceY: Float64Array;
}

export interface CovarianceDefinition<
  Settings extends SharedCovariance = SharedCovariance,
  Schema extends z.core.$ZodTypeDiscriminable = z.core.$ZodTypeDiscriminable,
> extends KindDefinition {
  readonly schema: Schema;
  /** Passes of a first-order recursive filter that F costs as much as. */
  passes(settings: Settings, grid: BasinSettings['grid']): number;
  /** Problems of settings that not all kinds have. */
  problems?(settings: Settings, situation: Situation): Problem[];
  /** Elements that F needs for itself: on the device for each plane, and on the host. */
  memory?(settings: Settings, grid: BasinSettings['grid']): { readonly plane: number; readonly host: number };
  /** @param planes that F is applied to at once */
  prepare(settings: Settings, backend: Backend, grid: Grid, planes: number): Promise<CovarianceFilter>;
}

/** @returns the standard deviation of a variable's background error; 0 for variables that the settings do not know */
export function deviationOf({ standardDeviation }: SharedCovariance, variable: string): number {
  return new Map(Object.entries(standardDeviation)).get(variable) ?? 0;
}

/** @returns planes of the control vector: the variables of the model up to the last with a standard deviation */
export function controlPlanes(settings: SharedCovariance, variables: readonly string[]): number {
  return variables.findLastIndex((name) => deviationOf(settings, name) > 0) + 1;
}

/** @returns the settings of `share` times the covariance */
export function shareOf<Settings extends SharedCovariance>(settings: Settings, share: number): Settings {
  const root = Math.sqrt(share);
  const { h, hu, hv, x } = settings.standardDeviation;
  const standardDeviation = { h: root * h, hu: root * hu, hv: root * hv, ...(x !== undefined && { x: root * x }) };
  return { ...settings, standardDeviation };
}

/** Problems of the settings that all kinds share. */
export function sharedProblems(settings: SharedCovariance, situation: Situation): Problem[] {
  const problems: Problem[] = [];
  const unbalanced = balanceProblem(settings.balance, situation);
  if (unbalanced !== undefined) problems.push({ path: ['balance'], message: unbalanced });
  const { variables } = situation;
  if (controlPlanes(settings, variables) === 0) {
    const message = `found 0 for every variable, allowed: above 0 for ${variables.length > 1 ? 'one or more' : variables[0]}`;
    problems.push({ path: ['standardDeviation'], message });
  }
  if ((settings.standardDeviation.x ?? 0) > 0 && !variables.includes('x')) {
    const message = `the model has no x, allowed: ${listWords(variables.map(describeValue), 'and')}`;
    problems.push({ path: ['standardDeviation', 'x'], message });
  }
  return problems;
}

/** A setting L of exp(−r²/2L²). */
interface LengthSettings {
  readonly length: number;
}

/** A length that the grid does not resolve, or that makes the basin one. */
export function lengthWarnings({ length }: LengthSettings, situation: Situation): Problem[] {
  const path = ['length'];
  const cell = Math.max(situation.grid.dx, situation.grid.dy);
  const reach = farthest(situation);
  const unit = lengthUnit(situation.model);
  if (length < cell / 2) {
    const message = `${length}${unit} is less than half a cell (${cell}${unit}); an observation corrects its own cell alone`;
    return [{ path, message }];
  }
  if (length > reach / 2) {
    const message = `${length}${unit} is more than half of the basin (${tidy(reach)}${unit}); an observation corrects everything alike`;
    return [{ path, message }];
  }
  return [];
}

/** Factor of the cell and of the basin's reach, so that a length stays off the ends that are warned of. */
const WITHIN = 1.01;

/** @returns the length as it is tuned; nothing where it is meant to be one that is warned of */
export function lengthTuning(settings: LengthSettings, situation: Situation): TunableSetting[] {
  if (lengthWarnings(settings, situation).length > 0) return [];
  const { dx, dy } = situation.grid;
  const ends = legibleEnds((WITHIN * Math.max(dx, dy)) / 2, farthest(situation) / 2 / WITHIN);
  return [around({ path: 'length', present: settings.length, factor: 2, ...ends })];
}

/** The length against how large the errors are; deviations of 0 are meant so. Paths begin inside the covariance. */
export function covarianceTuning(settings: SharedCovariance, situation: Situation): MethodTuning {
  const deviations = situation.variables
    .filter((name) => deviationOf(settings, name) > 0)
    .map((name): TunableSetting => {
      const present = deviationOf(settings, name);
      return around({ path: `standardDeviation.${name}`, present, factor: 4, most: 1e6 });
    });
  return {
    settings: [...lengthTuning(settings, situation), ...deviations],
    larger: 'a larger standard deviation',
    smaller: 'a smaller standard deviation',
  };
}
