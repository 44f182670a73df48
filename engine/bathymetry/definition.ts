/**
 * What a kind of bathymetry is: a bottom, and what is known about it before there is a grid. Each kind is one definition, listed
 * in `index.ts`, from which the schema, the form, the checks, the estimates and the run derive.
 */
import type { z } from 'zod';
import type { Grid } from '../models/index.ts';
import { describedKind, quantity } from '../settings/index.ts';
import type { KindDefinition, NamedFile, ScenarioFiles } from '../settings/index.ts';

/** All that a kind of bathymetry says of itself; what is omitted has nothing to say. */
export interface BathymetryParts<Settings> {
  /** Whether the bottom is the same everywhere, as schemes over a flat bottom need it. */
  readonly isFlat?: boolean;
  /** Depth of the water at rest as the settings state it, metres; undefined if a file gives it. */
  depth(settings: Settings): number | undefined;
  /** The greatest depth of the water at rest, metres; undefined where a file says. */
  greatestDepth(settings: Settings): number | undefined;
  /** The file that it is read from. */
  readonly reads?: NamedFile<Settings>;
  /** Elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water. */
  elevation(settings: Settings, grid: Grid, files: ScenarioFiles): Float64Array;
}

export interface BathymetryDefinition<
  Settings = unknown,
  Schema extends z.core.$ZodTypeDiscriminable = z.core.$ZodTypeDiscriminable,
>
  extends BathymetryParts<Settings>, KindDefinition {
  readonly schema: Schema;
  /** One line. */
  readonly description: string;
}

/** @returns the definition of a bathymetry whose settings are `schema`'s */
export function defineBathymetry<Schema extends z.ZodObject>(schema: Schema, parts: BathymetryParts<z.output<Schema>>) {
  return describedKind(schema, parts);
}

/** A depth that has to be water. */
export function depthField(description: string, standard: number) {
  return quantity({ title: 'Depth', description, unit: 'm', above: 0, maximum: 12_000, default: standard });
}

/** Field of the shallower depth of a bottom, which may be land. */
export function shoreDepthField(title: string, description: string, standard: number) {
  return quantity({ title, description, unit: 'm', minimum: -12_000, maximum: 12_000, default: standard });
}

/** Share of the way along an axis of `n` cells of cell `i`, 0 at the first centre and 1 at the last. */
export function share(i: number, n: number): number {
  return n > 1 ? i / (n - 1) : 0.5;
}

/** @param elevation in row j and column i, metres */
export function byCell({ nx, ny }: Grid, elevation: (j: number, i: number) => number): Float64Array {
  const bed = new Float64Array(nx * ny);
  for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) bed[j * nx + i] = elevation(j, i);
  return bed;
}
