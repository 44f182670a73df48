/** The kinds of forcing, each listed here once. */
import type { z } from 'zod';
import { definitionsByKind, kindUnion } from '../settings/index.ts';
import type { ForcingDefinition } from './definition.ts';
import { drops } from './drops.ts';
import { none } from './none.ts';

/** In the order in which a form offers them. */
export const FORCINGS = [none, drops] as const;

export const forcingField = kindUnion(FORCINGS)
  .prefault({ kind: 'none' })
  .meta({ title: 'Forcing', description: 'What happens to the water during the run.' });

/** A forcing of the scenario, with every default filled in. */
export type Forcing = z.output<typeof forcingField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const forcingDefinition: (kind: string) => ForcingDefinition<Forcing> =
  definitionsByKind<ForcingDefinition<Forcing>>(FORCINGS);
