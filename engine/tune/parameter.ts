/** A setting as it is tuned: its path, what it is called, what it may be, and which values are tried first. */
import { ScenarioError } from '../errors.ts';
import type { TunableSetting, TuningScale } from '../methods/index.ts';
import { methodTuning, schemaAt, valueAt, type JsonSchema, type Scenario } from '../scenario/index.ts';
import { describeValue, nearest, parsePath, suggestion } from '../settings/index.ts';
import { MOST_AXES } from '../sweep/index.ts';

/** Digits that are kept of the distance from the origin: two halvings of any step that is tried stay apart. */
const DIGITS = 3;

function originOf(scale: TuningScale): number {
  return scale.kind === 'log' ? scale.origin : 0;
}

/** @returns where a value lies on the scale; −∞ at the origin of a logarithmic one, NaN beyond it */
export function positionOf(scale: TuningScale, value: number): number {
  return scale.kind === 'log' ? Math.log(value - scale.origin) : value;
}

/** @returns the value at a position, with readable digits */
export function valueOn(scale: TuningScale, position: number): number {
  const origin = originOf(scale);
  const distance = scale.kind === 'log' ? Math.exp(position) : position;
  // The sum of two short decimals is one again.
  return Number((origin + Number(distance.toPrecision(DIGITS))).toPrecision(12));
}

/** @returns the value halfway between two */
export function between(scale: TuningScale, a: number, b: number): number {
  return valueOn(scale, (positionOf(scale, a) + positionOf(scale, b)) / 2);
}

/** @returns the value as far beyond `at` as `behind` is before it */
export function beyond(scale: TuningScale, behind: number, at: number): number {
  return valueOn(scale, 2 * positionOf(scale, at) - positionOf(scale, behind));
}

/** @returns `count` values from one end to the other, both among them as they are given */
export function evenly(scale: TuningScale, from: number, to: number, count: number): number[] {
  const [first, last] = [positionOf(scale, from), positionOf(scale, to)];
  return Array.from({ length: count }, (_, step) => {
    if (step === 0) return from;
    return step === count - 1 ? to : valueOn(scale, first + ((last - first) * step) / (count - 1));
  });
}

/** Plain data, so that it can be sent to a worker. */
export interface TuningParameter {
  /** From the root of the scenario, `methods[2].inflation`. */
  readonly path: string;
  /** As a record has it: inside the method where it is the method's, `inflation`; else from the root. */
  readonly name: string;
  readonly title: string;
  /** Empty where it has none. */
  readonly unit: string;
  readonly scale: TuningScale;
  /** What it is now; undefined where it is no number. */
  readonly present: number | undefined;
  /** Tried first, ascending. */
  readonly values: readonly number[];
  readonly allowed: AllowedValues;
}

/** What the schema takes, and of that what means something in the scenario. */
export interface AllowedValues {
  readonly least: number;
  readonly most: number;
  /** Whether the ends themselves are allowed. */
  readonly isLeastOpen: boolean;
  readonly isMostOpen: boolean;
  readonly isWhole: boolean;
}

/** More settings at a time cannot be searched over seeds. */
const MOST_PARAMETERS = 4;
/** How many are tuned where nobody asks for others. */
const USUAL_PARAMETERS = 2;
const MOST_VALUES = 100;

export function isAllowed({ least, most, isLeastOpen, isMostOpen, isWhole }: AllowedValues, value: number): boolean {
  const isAbove = isLeastOpen ? value > least : value >= least;
  const isBelow = isMostOpen ? value < most : value <= most;
  return Number.isFinite(value) && isAbove && isBelow && (!isWhole || Number.isInteger(value));
}

function fault(message: string, file = '--parameter'): ScenarioError {
  return new ScenarioError([{ file, path: [], message }]);
}

function indexOf(scenario: Scenario, label: string): number {
  const index = scenario.methods.findIndex((method) => method.label === label);
  if (index >= 0) return index;
  const labels = scenario.methods.map((method) => method.label);
  const message = `found ${describeValue(label)}, allowed: the label of a method: ${labels.join(', ')}`;
  throw fault(message + suggestion(label, labels), 'method');
}

/** @returns the path from the root: one that begins with a part of the scenario is one already */
function rooted(scenario: Scenario, index: number, name: string): string {
  const [first] = parsePath(name) ?? [];
  return typeof first === 'string' && Object.hasOwn(scenario, first) ? name : `methods[${index}].${name}`;
}

/** What the schema allows, or less if the kind says so. */
function allowedBy(schema: JsonSchema, tunable: TunableSetting | undefined): AllowedValues {
  const { minimum = -Infinity, exclusiveMinimum = -Infinity, maximum = Infinity, exclusiveMaximum = Infinity } = schema;
  const { least: sensibleLeast = -Infinity, most: sensibleMost = Infinity } = tunable ?? {};
  const least = Math.max(minimum, exclusiveMinimum, sensibleLeast);
  const most = Math.min(maximum, exclusiveMaximum, sensibleMost);
  return {
    least,
    most,
    isLeastOpen: least === exclusiveMinimum,
    isMostOpen: most === exclusiveMaximum,
    isWhole: schema.type === 'integer',
  };
}

interface Place {
  readonly schema: JsonSchema;
  readonly path: string;
  readonly present: number | undefined;
}

/** @throws ScenarioError for a path that leads to no number */
function placeOf(scenario: Scenario, index: number, name: string): Place {
  const path = rooted(scenario, index, name);
  const keys = parsePath(path);
  const schema = keys && schemaAt(scenario, keys);
  if (!keys || !schema) {
    const known = methodTuning(scenario, scenario.methods[index].label).settings.map((each) => each.path);
    const near = nearest(name, known);
    const hint = near === undefined ? '' : `; did you mean ${near}?`;
    const message = `${path} is no setting of the scenario; allowed: paths inside the method, ${known.join(', ') || 'of numbers'}, or from the root${hint}`;
    throw fault(message);
  }
  const number = schema.anyOf?.find(({ type }) => type === 'number' || type === 'integer') ?? schema;
  if (number.type !== 'number' && number.type !== 'integer')
    throw fault(`${path} is no number; allowed: settings that are numbers`);
  const present = valueAt(scenario, keys);
  return {
    schema: { ...schema, ...number },
    path,
    present: typeof present === 'number' ? present : undefined,
  };
}

/** Values of both signs, or near each other, count by themselves; others by their ratios. */
function scaleOf(values: readonly number[]): TuningScale {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  return least > 0 && most / least >= 2 ? { kind: 'log', origin: 0 } : { kind: 'linear' };
}

/** What the user asks for: the path with values, or with their ends and number; with neither, what the method's kind suggests. */
export interface ParameterRequest {
  readonly name: string;
  readonly values?: readonly number[];
  readonly range?: { readonly from: number; readonly to: number; readonly count: number };
}

function valuesOf(
  request: ParameterRequest,
  scale: TuningScale,
  tunable: TunableSetting | undefined,
): readonly number[] {
  if (request.values) return [...new Set(request.values)].sort((a, b) => a - b);
  const range = request.range ?? tunable;
  return range ? [...new Set(evenly(scale, range.from, range.to, range.count))] : [];
}

/**
 * @param label of the method
 * @throws ScenarioError naming what was found and what is allowed
 */
function tuningParameter(scenario: Scenario, label: string, request: ParameterRequest): TuningParameter {
  const index = indexOf(scenario, label);
  const { schema, path, present } = placeOf(scenario, index, request.name);
  const inside = `methods[${index}].`;
  const name = path.startsWith(inside) ? path.slice(inside.length) : path;
  const tunable = methodTuning(scenario, label).settings.find((each) => each.path === name);
  const asked = request.values ?? (request.range && [request.range.from, request.range.to]);
  const scale = tunable?.scale ?? scaleOf(asked ?? []);
  // Whoever names values has reasons to go beyond what usually means something.
  const bySchema = allowedBy(schema, undefined);
  const wrong = asked?.find((value) => !isAllowed(bySchema, value));
  if (wrong !== undefined) throw fault(`${name}: found ${wrong}, allowed: ${describeAllowed(bySchema)}`);
  const off = asked?.find((value) => !Number.isFinite(positionOf(scale, value)));
  const isOffScale = off !== undefined && request.range !== undefined;
  if (isOffScale)
    throw fault(
      `${name}: found a range from ${off}, allowed: values above ${originText(scale)}, whose steps are factors`,
    );
  const whole = (value: number): number => (schema.type === 'integer' ? Math.round(value) : value);
  const values = [...new Set(valuesOf(request, scale, tunable).map(whole))];
  if (values.length === 0) {
    throw fault(`${name}: found no values, allowed: path=1,2,4 or path=from:to:count, for what its kind suggests none`);
  }
  if (values.length > MOST_VALUES) throw fault(`${name}: found ${values.length} values, allowed: ${MOST_VALUES}`);
  const { title = name, unit = '' } = schema;
  return { path, name, title, unit, scale, present, values, allowed: allowedBy(schema, tunable) };
}

function originText(scale: TuningScale): string {
  return String(scale.kind === 'log' ? scale.origin : 0);
}

function describeAllowed({ least, most, isLeastOpen, isMostOpen, isWhole }: AllowedValues): string {
  const low = least === -Infinity ? '' : isLeastOpen ? ` above ${least}` : ` of at least ${least}`;
  const high = most === Infinity ? '' : isMostOpen ? ` below ${most}` : ` at most ${most}`;
  return `a ${isWhole ? 'whole ' : ''}number${[low, high].filter((text) => text !== '').join(' and')}`;
}

/**
 * @param requests none for what the method's kind suggests
 * @returns settings to tune, the last one fastest in tables
 * @throws ScenarioError for a method that is not there or has nothing to tune, and for a wrong request
 */
export function tuningParameters(
  scenario: Scenario,
  label: string,
  requests: readonly ParameterRequest[] = [],
): readonly TuningParameter[] {
  const index = indexOf(scenario, label);
  const suggested = methodTuning(scenario, label).settings.slice(0, USUAL_PARAMETERS);
  const asked = requests.length > 0 ? requests : suggested.map(({ path }) => ({ name: path }));
  if (asked.length === 0) {
    const { kind } = scenario.methods[index];
    throw fault(`${describeValue(label)} has no setting that is worth tuning (its kind is ${kind})`, 'method');
  }
  if (asked.length > Math.min(MOST_PARAMETERS, MOST_AXES))
    throw fault(`found ${asked.length} settings, allowed: ${MOST_PARAMETERS} at a time`);
  const parameters = asked.map((request) => tuningParameter(scenario, label, request));
  const twice = parameters.find(({ path }, at) => parameters.some((other, i) => i < at && other.path === path));
  if (twice) throw fault(`found ${twice.name} twice, allowed: each setting once`);
  return parameters;
}

/** @returns every setting that the method's kind suggests to tune, the most sensitive first */
export function suggestedParameters(scenario: Scenario, label: string): readonly TuningParameter[] {
  return methodTuning(scenario, label).settings.map(({ path }) => tuningParameter(scenario, label, { name: path }));
}
