/** The observing networks: what each kind is, and where each observes in a run. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion, type DescribedKind } from '../settings/index.ts';
import type { NetworkParts } from './definition.ts';
import { drifters, track } from './moving.ts';
import { file, points, random, regular, section } from './stationary.ts';

export type { NetworkContext, Sampler } from './definition.ts';
export { createBuoys, SUB_STEPS, type Buoys, type VelocityReader, type Positions } from './definition.ts';

/** In the order in which a form offers them. */
export const NETWORKS = [regular, random, points, section, track, drifters, file] as const;

export const networkField = kindUnion(NETWORKS)
  .prefault({ kind: 'regular' })
  .meta({ title: 'Network', description: 'Where is observed.' });

/** An observing network of the scenario, with every default filled in. */
export type Network = z.output<typeof networkField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const networkDefinition = definitionsByKind<NetworkParts<Network> & DescribedKind>(NETWORKS);
