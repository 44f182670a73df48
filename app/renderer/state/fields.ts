/** The fields that a view can show: their names, units and colour scales. Everything that names a field asks here. */

export type FieldId = 'surface' | 'depth' | 'speed' | 'vorticity' | 'error' | 'spread' | 'increment';

/** Which family of colour maps a field takes: diverging ones are centred at zero. */
export type FieldScale = 'diverging' | 'sequential' | 'spread';

export interface Field {
  readonly id: FieldId;
  readonly title: string;
  /** As it stands in formulas and on axes. */
  readonly symbol: string;
  readonly unit: string;
  readonly scale: FieldScale;
  /** What the number means, in one line. */
  readonly description: string;
  /** Whether the truth has it. */
  readonly ofTruth: boolean;
  /** Whether only an ensemble has it. */
  readonly ofEnsemble: boolean;
}

export const FIELDS: readonly Field[] = [
  {
    id: 'surface',
    title: 'Surface height',
    symbol: 'η',
    unit: 'm',
    scale: 'diverging',
    description: 'Height of the water’s surface above the water at rest.',
    ofTruth: true,
    ofEnsemble: false,
  },
  {
    id: 'depth',
    title: 'Depth',
    symbol: 'h',
    unit: 'm',
    scale: 'sequential',
    description: 'Height of the water column between bed and surface.',
    ofTruth: true,
    ofEnsemble: false,
  },
  {
    id: 'speed',
    title: 'Speed',
    symbol: '|u|',
    unit: 'm/s',
    scale: 'sequential',
    description: 'Speed of the current, averaged over the depth.',
    ofTruth: true,
    ofEnsemble: false,
  },
  {
    id: 'vorticity',
    title: 'Vorticity',
    symbol: 'ζ',
    unit: '1/s',
    scale: 'diverging',
    description: 'Rotation of the current about the vertical, ∂v/∂x − ∂u/∂y; positive turns anticlockwise.',
    ofTruth: true,
    ofEnsemble: false,
  },
  {
    id: 'error',
    title: 'Error',
    symbol: 'η − ηᵗ',
    unit: 'm',
    scale: 'diverging',
    description: 'Surface height of the method’s mean minus that of the truth.',
    ofTruth: false,
    ofEnsemble: false,
  },
  {
    id: 'spread',
    title: 'Spread',
    symbol: 'σ(η)',
    unit: 'm',
    scale: 'spread',
    description: 'Standard deviation of the surface height over the members, after the analysis.',
    ofTruth: false,
    ofEnsemble: true,
  },
  {
    id: 'increment',
    title: 'Increment',
    symbol: 'δη',
    unit: 'm',
    scale: 'diverging',
    description: 'Surface height of the analysis minus that of the forecast: what the observations changed.',
    ofTruth: false,
    ofEnsemble: false,
  },
];

/** @returns the field of that id */
export function fieldOf(id: FieldId): Field {
  const found = FIELDS.find((field) => field.id === id);
  if (!found) throw new RangeError(`there is no field ${id}`);
  return found;
}

export function isFieldId(text: string): text is FieldId {
  return FIELDS.some(({ id }) => id === text);
}
