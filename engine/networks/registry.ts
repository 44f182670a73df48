/** The kinds of observing networks, each listed here once. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import type { NetworkDefinition } from './definition.ts';
import { drifters } from './drifters.ts';
import { file } from './file.ts';
import { points } from './points.ts';
import { random } from './random.ts';
import { regular } from './regular.ts';
import { section } from './section.ts';
import { track } from './track.ts';

/** In the order in which a form offers them. */
export const NETWORKS = [regular, random, points, section, track, drifters, file] as const;

export const networkField = kindUnion(NETWORKS)
  .prefault({ kind: 'regular' })
  .meta({ title: 'Network', description: 'Where is observed.' });

/** An observing network of the scenario, with every default filled in. */
export type Network = z.output<typeof networkField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const networkDefinition: (kind: string) => NetworkDefinition<Network> =
  definitionsByKind<NetworkDefinition<Network>>(NETWORKS);
