/** Bathymetry: what each kind of bottom is, and its elevations on a grid. */
import type { Grid } from '../models/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import type { z } from 'zod';
import type { DescribedKind } from '../settings/index.ts';
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import { basin, flat, bump, slope, harbour, file, netcdf } from './kinds.ts';
import type { BathymetryParts } from './kinds.ts';

/** In the order in which a form offers them. */
export const BATHYMETRIES = [flat, basin, bump, slope, harbour, file, netcdf] as const;

export const bathymetryField = kindUnion(BATHYMETRIES).prefault({ kind: 'flat' }).meta({
  title: 'Bathymetry',
  description: 'The bottom. The schemes lax-wendroff and richtmyer know a flat one only.',
});

/** A bathymetry of the scenario, with every default filled in. */
export type Bathymetry = z.output<typeof bathymetryField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const bathymetryDefinition = definitionsByKind<BathymetryParts<Bathymetry> & DescribedKind>(BATHYMETRIES);

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water */
export function bedElevation(bathymetry: Bathymetry, grid: Grid, files: ScenarioFiles): Float64Array {
  return bathymetryDefinition(bathymetry.kind).elevation(bathymetry, grid, files);
}

/** @returns the greatest depth of the water at rest, metres; undefined where a file says */
export function greatestDepth(bathymetry: Bathymetry): number | undefined {
  return bathymetryDefinition(bathymetry.kind).greatestDepth(bathymetry);
}
