/** Bathymetry: what each kind of bottom is, and its elevations on a grid. */
import type { Grid } from '../models/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { bathymetryDefinition } from './registry.ts';
import type { Bathymetry } from './registry.ts';
export { BATHYMETRIES, bathymetryDefinition, bathymetryField } from './registry.ts';
export type { Bathymetry } from './registry.ts';

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water */
export function bedElevation(bathymetry: Bathymetry, grid: Grid, files: ScenarioFiles): Float64Array {
  return bathymetryDefinition(bathymetry.kind).elevation(bathymetry, grid, files);
}

/** @returns the greatest depth of the water at rest, metres; undefined where a file says */
export function greatestDepth(bathymetry: Bathymetry): number | undefined {
  return bathymetryDefinition(bathymetry.kind).greatestDepth(bathymetry);
}
