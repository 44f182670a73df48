/** The kinds of bathymetry, each listed here once. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import { basin } from './basin.ts';
import { bump } from './bump.ts';
import type { BathymetryDefinition } from './definition.ts';
import { file } from './file.ts';
import { flat } from './flat.ts';
import { harbour } from './harbour.ts';
import { netcdf } from './netcdf.ts';
import { slope } from './slope.ts';

/** In the order in which a form offers them. */
export const BATHYMETRIES = [flat, basin, bump, slope, harbour, file, netcdf] as const;

export const bathymetryField = kindUnion(BATHYMETRIES).prefault({ kind: 'flat' }).meta({
  title: 'Bathymetry',
  description: 'The bottom. The schemes lax-wendroff and richtmyer know a flat one only.',
});

/** A bathymetry of the scenario, with every default filled in. */
export type Bathymetry = z.output<typeof bathymetryField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const bathymetryDefinition: (kind: string) => BathymetryDefinition<Bathymetry> =
  definitionsByKind<BathymetryDefinition<Bathymetry>>(BATHYMETRIES);
