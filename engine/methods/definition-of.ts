/** The definitions of the methods by their kinds. */
import { definitionsByKind } from '../settings/index.ts';
import type { MethodDefinition } from './definition.ts';
import { METHODS } from './registry.ts';
import type { MethodSettings } from './registry.ts';

type AnyMethod = MethodDefinition<MethodSettings, (typeof METHODS)[number]['schema']>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const methodDefinition = definitionsByKind<AnyMethod>(METHODS);
