/** The fields that a view can show, in the order of menus and of their keys. Everything that names a field asks here. */
import type { BasinInfo } from '../../engine/index.ts';
import { defineField, type Field } from './field.ts';

/** η: where the water's surface is. */
const surface = defineField({
  id: 'surface',
  title: 'Surface height',
  symbol: 'η',
  unit: 'm',
  description: 'Height of the water’s surface above the water at rest.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.elevation('eta'),
  isElevation: true,
  onRing: {
    title: 'State',
    symbol: 'x',
    description: 'The model’s variables round the ring.',
    scale: 'interval',
    colourMap: 'viridis',
  },
});

/** h: how much water there is. */
const depth = defineField({
  id: 'depth',
  title: 'Depth',
  symbol: 'h',
  unit: 'm',
  description: 'Height of the water column between bed and surface.',
  scale: 'sequential',
  colourMap: 'cividis',
  value: (cell) => cell.depth(),
});

/** |u|: how fast the water runs. */
const speed = defineField({
  id: 'speed',
  title: 'Speed',
  symbol: '|u|',
  unit: 'm/s',
  description: 'Speed of the current, averaged over the depth.',
  scale: 'sequential',
  colourMap: 'viridis',
  value: (cell) => cell.length(cell.u(), cell.v()),
  scoredBy: ['hu', 'hv'],
});

/** ζ = ∂v/∂x − ∂u/∂y: how the water turns. */
const vorticity = defineField({
  id: 'vorticity',
  title: 'Vorticity',
  symbol: 'ζ',
  unit: '1/s',
  description: 'Rotation of the current about the vertical, ∂v/∂x − ∂u/∂y; positive turns anticlockwise.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) =>
    cell.minus(
      cell.slopeX((beside) => beside.v()),
      cell.slopeY((beside) => beside.u()),
    ),
  isWater: false,
  scoredBy: ['hu', 'hv'],
});

/** η − ηᵗ: how wrong a method is. */
const error = defineField({
  id: 'error',
  title: 'Error',
  symbol: 'η − ηᵗ',
  unit: 'm',
  description: 'Surface height of the method’s mean minus that of the truth.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.minus(cell.elevation('eta'), cell.elevation('truthEta')),
  lift: 'value',
  ofTruth: false,
  isWater: false,
  onRing: { title: 'Error', symbol: 'x − xᵗ', description: 'The method’s mean minus the truth.' },
});

/** σ(η): how far the members of an ensemble are apart. */
const spread = defineField({
  id: 'spread',
  title: 'Spread',
  symbol: 'σ(η)',
  unit: 'm',
  description: 'Standard deviation of the surface height over the members, after the analysis.',
  scale: 'spread',
  colourMap: 'magma',
  value: (cell) => cell.elevation('spread'),
  lift: 'value',
  of: 'analysis',
  ofTruth: false,
  ofEnsemble: true,
  isWater: false,
  onRing: {
    title: 'Spread',
    symbol: 'σ(x)',
    description: 'Standard deviation of x over the members, after the analysis.',
  },
});

/** δη: what the observations changed. */
const increment = defineField({
  id: 'increment',
  title: 'Increment',
  symbol: 'δη',
  unit: 'm',
  description: 'Surface height of the analysis minus that of the forecast: what the observations changed.',
  scale: 'diverging',
  colourMap: 'diverging',
  value: (cell) => cell.minus(cell.elevation('eta'), cell.elevation('forecastEta')),
  lift: 'value',
  of: 'analysis-step',
  ofTruth: false,
  isWater: false,
  onRing: {
    title: 'Increment',
    symbol: 'δx',
    description: 'The analysis minus the forecast: what the observations changed.',
  },
});

/**
 * Fr = |u|/√(gh), the speed of the current against that of long waves: below 1 waves run against it, above it carries them
 * away, and between the two are hydraulic jumps, as behind a dam that broke. Its water column is at least the dry depth, so
 * that a film of water has no number beyond bounds.
 */
const froudeNumber = defineField({
  id: 'froude-number',
  title: 'Froude number',
  symbol: 'Fr',
  unit: '1',
  description: 'Speed of the current against that of long waves; above 1 no wave runs against it.',
  scale: 'sequential',
  colourMap: 'viridis',
  value: (cell) => {
    const waveSpeed = cell.root(cell.times(cell.gravity, cell.larger(cell.depth(), cell.dry)));
    return cell.over(cell.length(cell.u(), cell.v()), waveSpeed);
  },
  scoredBy: ['hu', 'hv'],
});

/** What is known of the analysis of every cell: it says nothing of errors. */
const OF_LOCAL_ANALYSES = {
  unit: '1',
  value: (cell) => cell.elevation('local'),
  of: 'analysis',
  ofTruth: false,
  isWater: false,
  scoredBy: [],
} as const satisfies Partial<Field>;

const localObservations = defineField({
  ...OF_LOCAL_ANALYSES,
  id: 'local-observations',
  title: 'Local observations',
  symbol: 'ℓ',
  description: 'Number of observations that the analysis of the cell sees; 0 out of reach of all observations.',
  scale: 'spread',
  colourMap: 'viridis',
  ofAnalyses: 'local',
  onRing: {
    title: 'Local observations',
    symbol: 'ℓ',
    description: 'Number of observations that the analysis of the place sees; 0 out of reach of all observations.',
  },
});

const localWeight = defineField({
  ...OF_LOCAL_ANALYSES,
  id: 'local-weight',
  title: 'Local weight',
  symbol: 'Σw',
  description:
    'Sum of the localisation weights of the observations that the analysis of the cell sees: what localisation leaves.',
  scale: 'spread',
  colourMap: 'viridis',
  ofAnalyses: 'local',
  onRing: {
    title: 'Local weight',
    symbol: 'Σw',
    description:
      'Sum of the localisation weights of the observations that the analysis of the place sees: what localisation leaves.',
  },
});

const inflation = defineField({
  ...OF_LOCAL_ANALYSES,
  id: 'inflation',
  title: 'Inflation',
  symbol: 'ρ',
  description:
    'Factor of the forecast’s covariance in the analysis of the cell: as it is set, or as it has adapted itself.',
  scale: 'interval',
  colourMap: 'magma',
  ofAnalyses: 'inflated',
  onRing: {
    title: 'Inflation',
    symbol: 'ρ',
    description:
      'Factor of the forecast’s covariance in the analysis of the place: as it is set, or as it has adapted itself.',
  },
});

const asked = {
  title: 'Answer',
  symbol: 'a',
  unit: '1',
  description: 'Numbers that were asked for, in place of the field.',
  scale: 'diverging',
  colourMap: 'diverging',
  ofTruth: false,
  isWater: false,
  scoredBy: [],
} as const;

/**
 * Numbers that somebody asked for, in place of a field: a plane for each method, whose words, range and colours come with it
 * (`shown-planes.ts`). One only colours the water, the other lifts it too.
 */
const shown = defineField({ ...asked, id: 'shown', value: (cell) => cell.elevation('shown') });

const shownLifted = defineField({
  ...asked,
  id: 'shown-lifted',
  value: (cell) => cell.elevation('shown'),
  lift: 'value',
});

export type { Field, FieldScale } from './field.ts';

const REGISTRY = [
  surface,
  depth,
  speed,
  vorticity,
  error,
  spread,
  increment,
  froudeNumber,
  localObservations,
  localWeight,
  inflation,
] as const;

export type FieldId = (typeof REGISTRY)[number]['id'];

/** Fields that the user chooses from. */
export const FIELDS: readonly Field<FieldId>[] = REGISTRY;

/** Fields that represent planes which are shown in place of a field. */
const STAND_INS = [shown, shownLifted] as const;

/** What a view can draw. */
export type ViewFieldId = FieldId | (typeof STAND_INS)[number]['id'];

export const VIEW_FIELDS: readonly Field<ViewFieldId>[] = [...FIELDS, ...STAND_INS];

const byId: ReadonlyMap<string, Field<ViewFieldId>> = new Map(VIEW_FIELDS.map((field) => [field.id, field]));

/** @returns the field of that id */
export function fieldOf(id: ViewFieldId): Field<ViewFieldId> {
  const found = byId.get(id);
  if (!found) throw new RangeError(`there is no field ${id}`);
  return found;
}

/** @returns whether it is the id of a field that the user can choose */
export function isFieldId(text: string): text is FieldId {
  return FIELDS.some(({ id }) => id === text);
}

/** What distinguishes a ring from a basin; undefined before there is either. */
export type World = Pick<BasinInfo, 'isRing'> | undefined;

/** @returns the field with the words and the unit that it has in a basin, or on a ring */
export function fieldIn<Id extends ViewFieldId>(world: World, id: Id): Field<Id> {
  const field = fieldOf(id) as Field<Id>;
  return world?.isRing ? { ...field, ...field.onRing, unit: '', isElevation: false } : field;
}

/** @returns whether there is such a field in a basin, or on a ring */
export function hasField(world: World, id: FieldId): boolean {
  return !world?.isRing || fieldOf(id).onRing !== undefined;
}

/** @returns the fields that there are in a basin, or on a ring, with their words */
export function fieldsIn(world: World): readonly Field<FieldId>[] {
  return FIELDS.filter(({ id }) => hasField(world, id)).map(({ id }) => fieldIn(world, id));
}

/** @returns how strong a field's colours are over real water, 0 … 1: heights are seen without them */
export function tintOf({ isElevation }: Pick<Field, 'isElevation'>): number {
  return isElevation ? 0.35 : 1;
}

/** @returns a title as it is written inside a sentence: `surface height`, but `Froude number` */
export function inSentence(title: string): string {
  return title.startsWith('Froude') ? title : title.toLowerCase();
}

/** @returns `Surface height (m)`, or the text alone if there is no unit */
export function withUnit(text: string, unit: string): string {
  return unit === '' ? text : `${text} (${unit})`;
}
