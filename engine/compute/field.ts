/** Fields: the arrays that backends own, and those in main memory that represent them. */

/** `double`: float64 whatever the precision of the backend, where that has it. */
export type ElementKind = 'real' | 'double' | 'index';

/** An array that lives on a backend. Contents are undefined until written. Whoever allocates it disposes it. */
export interface Field<Kind extends ElementKind = ElementKind> {
  readonly label: string;
  readonly kind: Kind;
  /** Number of elements, at least 1. */
  readonly length: number;
  /** Elements behind them that nothing reads and writes but what was made for it; none if omitted. */
  readonly spare?: number;
  dispose(): void;
}

export type RealField = Field<'real'>;
export type IndexField = Field<'index'>;

/** The arrays an operator works on, by name, with their element kind. */
export type FieldKinds = Readonly<Record<string, ElementKind>>;
export type FieldsOf<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]: Field<Kinds[Name]> };
/** What `read` returns of a field. */
export type HostArray<Kind extends ElementKind> = Kind extends 'index' ? Uint32Array : Float64Array;

/** Reals in main memory, in the precision of the backend that owns them. */
export type RealArray = Float64Array | Float32Array;
/** The arrays that the reference form of an operator works on: fields of a backend that keeps them in main memory. */
export type ArraysOf<Kinds extends FieldKinds> = {
  readonly [Name in keyof Kinds]: Kinds[Name] extends 'index' ? Uint32Array : RealArray;
};
