/**
 * Scenario files of version 1, made into version 2 when they are read.
 *
 * In version 1 the length of 3D-Var's covariance was the standard deviation σ of its filter, so that errors were correlated as
 * exp(−r²/4σ²); in version 2 every length is L of exp(−r²/2L²), hence L = √2 σ. Version 1 kept its expected results as one
 * number a measure, without range, seeds or the scan behind them: they are left out.
 */
import { isRecord } from './is-record.ts';
import { SCENARIO_VERSION } from './schema.ts';

/** Length of 3D-Var's covariance where a file of version 1 said nothing, metres. */
const FORMER_DEFAULT_LENGTH = 3;
/** What a file of version 1 without methods compared. */
const FORMER_METHODS: readonly unknown[] = [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }];
/** Significant digits of a converted length: a millionth of it changes nothing that is seen. */
const DIGITS = 6;

export interface Migration {
  /** In the present version; the same value where it was in it already. */
  readonly raw: unknown;
  /** What was done, in one line; none where nothing was. */
  readonly notes: readonly string[];
}

type Entries = Readonly<Record<string, unknown>>;

/** The entry of that name, never one that the object inherits. */
function own(object: Entries, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** @returns L for the filter's σ; what is no length is left for the schema to tell of */
function correlationLength(sigma: unknown): unknown {
  if (sigma === undefined) return correlationLength(FORMER_DEFAULT_LENGTH);
  if (typeof sigma !== 'number' || !(sigma > 0)) return sigma;
  return Number((sigma * Math.SQRT2).toPrecision(DIGITS));
}

function migrateMethod(method: unknown): unknown {
  if (!isRecord(method) || own(method, 'kind') !== '3dvar') return method;
  const covariance = Object.hasOwn(method, 'covariance') ? method['covariance'] : { kind: 'recursive-filter' };
  if (!isRecord(covariance)) return method;
  return { ...method, covariance: { ...covariance, length: correlationLength(own(covariance, 'length')) } };
}

/** @param raw an object, of any version; it is not changed */
export function migrateScenario(raw: Entries): Migration {
  if (own(raw, 'version') !== 1) return { raw, notes: [] };
  const { expected, methods = FORMER_METHODS, ...rest } = raw;
  const migrated = {
    ...rest,
    version: SCENARIO_VERSION,
    methods: Array.isArray(methods) ? methods.map(migrateMethod) : methods,
  };
  const isConverted = JSON.stringify(migrated.methods) !== JSON.stringify(methods);
  const done = [
    ...(isConverted
      ? ['each covariance.length is √2 times the number in the file, the L of exp(−r²/2L²) instead of the filter’s σ']
      : []),
    ...(expected === undefined ? [] : ['its expected results are left out']),
  ];
  const what = done.length === 0 ? 'nothing else changes' : done.join('; ');
  return {
    raw: migrated,
    notes: [`version: 1 was read as version ${SCENARIO_VERSION}: ${what}`],
  };
}
