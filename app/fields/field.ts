/**
 * A field of the stage as a kind: what a view can show, defined once. Menus, legends, ranges, readouts, cuts, pictures and
 * the shader all follow from its definition. A field is added in `fields.ts`, and its test.
 */

/**
 * Which family of colour maps a field takes: diverging ones are centred at zero. An interval is sequential between ends of any sign,
 * where zero is a number as any other.
 */
export type FieldScale = 'diverging' | 'sequential' | 'interval' | 'spread';

export type ColourMapName = 'cividis' | 'viridis' | 'magma' | 'diverging';

/**
 * Surface elevations of a view, and their spread, m: of the state that is shown, of the truth, of the forecast; and in their own units
 * what is shown in place of a field, and what is known of the analysis of the cell.
 */
export type ElevationName = 'eta' | 'truthEta' | 'forecastEta' | 'spread' | 'shown' | 'local';

/**
 * A cell and the arithmetic of its numbers. A field's formula is written once in these terms; on the host they are numbers
 * in float64 (`field-values.ts`), on the GPU expressions of a shader (`field-nodes.ts`).
 */
export interface FieldCell<Scalar> {
  /** m; what is shown in place of a field, and what is known of the analysis, in its own unit. */
  elevation(name: ElevationName): Scalar;
  /** Height of the water column h = η − bed, not below 0, m. */
  depth(): Scalar;
  /** Components of the current, averaged over the depth, m/s; 0 where it is dry. */
  u(): Scalar;
  v(): Scalar;
  /** ∂/∂x and ∂/∂y by central differences, 1/m of what is differentiated: wrapped on periodic axes, one-sided at walls. */
  slopeX(of: (cell: FieldCell<Scalar>) => Scalar): Scalar;
  slopeY(of: (cell: FieldCell<Scalar>) => Scalar): Scalar;
  /** Depth under which a cell counts as dry, m. */
  readonly dry: Scalar;
  /** m/s² */
  readonly gravity: Scalar;
  minus(a: Scalar, b: Scalar): Scalar;
  times(a: Scalar, b: Scalar): Scalar;
  over(a: Scalar, b: Scalar): Scalar;
  /** √(a² + b²) */
  length(a: Scalar, b: Scalar): Scalar;
  root(a: Scalar): Scalar;
  larger(a: Scalar, b: Scalar): Scalar;
}

/** The value at a cell, in the field's unit. */
type FieldFormula = <Scalar>(cell: FieldCell<Scalar>) => Scalar;

/** What people call a field. */
interface FieldNaming {
  readonly title: string;
  /** As it is written in formulas and on axes. */
  readonly symbol: string;
  /** What the number means, in one line. */
  readonly description: string;
}

export interface Field<Id extends string = string> extends FieldNaming {
  readonly id: Id;
  /** Empty where it has none. */
  readonly unit: string;
  readonly scale: FieldScale;
  readonly colourMap: ColourMapName;
  readonly value: FieldFormula;
  /** What lifts the water's surface: the surface η itself, or the field's own value in metres on the same scale. */
  readonly lift: 'surface' | 'value';
  /**
   * Whose state it is: the one that is shown, forecast or analysis; the analysis, whichever is shown; or the step from one
   * to the other, which stays until the next analysis is made.
   */
  readonly of: 'state' | 'analysis' | 'analysis-step';
  /** Whether the truth has it. */
  readonly ofTruth: boolean;
  /** Whether only an ensemble has it. */
  readonly ofEnsemble: boolean;
  /** Whether only a method has it that analyses places one by one, or one that inflates its members' covariance. */
  readonly ofAnalyses?: 'local' | 'inflated';
  /** Whether it is a height above the water at rest, as that of the bed is. */
  readonly isElevation: boolean;
  /** Whether its surface may be drawn as real water; of other fields only the colours speak. */
  readonly isWater: boolean;
  /** What it is called on a ring, where the variable x replaces η and nothing has a unit; undefined where a ring has it not. */
  readonly onRing?: FieldNaming & Partial<Pick<Field, 'scale' | 'colourMap'>>;
  /** State variables whose error says how good a method is in it: those of the current are the momenta, as one vector. */
  readonly scoredBy: readonly string[];
}

type Usual = 'lift' | 'of' | 'ofTruth' | 'ofEnsemble' | 'isElevation' | 'isWater' | 'scoredBy';

/** Most fields: of the state that is shown, in truth and methods, over water that is lifted by its surface. */
const USUAL: Pick<Field, Usual> = {
  lift: 'surface',
  of: 'state',
  ofTruth: true,
  ofEnsemble: false,
  isElevation: false,
  isWater: true,
  scoredBy: ['h'],
};

/** @param field what it is, and where it differs from most fields */
export function defineField<const Id extends string>(
  field: Omit<Field<Id>, Usual> & Partial<Pick<Field, Usual>>,
): Field<Id> {
  return { ...USUAL, ...field };
}
