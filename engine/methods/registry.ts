/** The assimilation methods, each listed here once. */
import { definitionsByKind } from '../settings/index.ts';
import type { SettingsOf, MethodDefinition } from './definition.ts';
import { denkf } from './denkf/index.ts';
import { eakf } from './eakf/index.ts';
import { enkf } from './enkf/index.ts';
import { enkfN } from './enkf-n/index.ts';
import { enks } from './enks/index.ts';
import { fourDEnVar } from './four-d-en-var/index.ts';
import { fourDVar } from './four-d-var/index.ts';
import { freeRun } from './free-run/index.ts';
import { hybrid } from './hybrid/index.ts';
import { hybridFourDVar } from './hybrid-four-d-var/index.ts';
import { ienks } from './ienks/index.ts';
import { letkf } from './letkf/index.ts';
import { nudging } from './nudging/index.ts';
import { threeDVar } from './three-d-var/index.ts';

/** In the order in which a form offers them. */
export const METHODS = [
  freeRun,
  threeDVar,
  fourDVar,
  letkf,
  enkf,
  denkf,
  eakf,
  enkfN,
  enks,
  ienks,
  hybrid,
  fourDEnVar,
  hybridFourDVar,
  nudging,
] as const;

/** A method of the scenario, with every default filled in. */
export type MethodSettings = SettingsOf<(typeof METHODS)[number]['schema']>;

type AnyMethod = MethodDefinition<MethodSettings, (typeof METHODS)[number]['schema']>;

const shipped = definitionsByKind<AnyMethod>(METHODS);
/** By kind. Of the modules of the engine this one alone keeps anything: what a program adds to it holds for that program. */
const added = new Map<string, AnyMethod>();

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export function methodDefinition(kind: string): AnyMethod {
  return added.get(kind) ?? shipped(kind);
}

/** @returns the definition of a kind that was added; undefined for any other */
export function addedMethod(kind: string): AnyMethod | undefined {
  return added.get(kind);
}

/**
 * Adds a kind of method, beside those of this program, for as long as it is not taken away again.
 *
 * @returns the way to take it away
 * @throws RangeError if there is that kind already
 */
export function addMethod(definition: MethodDefinition<never>): () => void {
  const { kind } = definition;
  if (added.has(kind) || METHODS.some((method) => method.kind === kind)) {
    throw new RangeError(`the kind ${kind} is already registered; give the method another kind`);
  }
  // What is looked up by a kind is used for settings of that kind alone.
  added.set(kind, definition as unknown as AnyMethod);
  return () => void added.delete(kind);
}
