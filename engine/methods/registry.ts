/** The assimilation methods, each listed here once. */
import type { SettingsOf } from './definition.ts';
import { enkf } from './enkf/index.ts';
import { freeRun } from './free-run/index.ts';
import { hybrid } from './hybrid/index.ts';
import { letkf } from './letkf/index.ts';
import { nudging } from './nudging/index.ts';
import { threeDVar } from './three-d-var/index.ts';

/** In the order in which a form offers them. */
export const METHODS = [freeRun, threeDVar, letkf, enkf, hybrid, nudging] as const;

/** A method of the scenario, with every default filled in. */
export type MethodSettings = SettingsOf<(typeof METHODS)[number]['schema']>;
