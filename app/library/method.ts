/** Methods of your own, beside those of Shoal. */
import {
  assertArgument,
  assertProperties,
  callback,
  flag,
  having,
  oneOf,
  record,
  text,
  wholeBetween,
  finite,
  type Allowed,
} from './scenario.ts';
import * as engine from '../../engine/index.ts';
import type { MethodDefinition } from '../../engine/index.ts';

const WORDS = { title: text, description: text };
const MORE_WORDS = { unit: text, takesEffect: oneOf(['label', 'next-cycle', 'restart']) };
const RANGE = { minimum: finite, above: finite, maximum: finite, below: finite };

const wordList: Allowed = {
  allowed: 'a list of one or more texts',
  holds: (value) => Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string'),
};

type NumberHelp = Parameters<typeof engine.quantity>[0];

function assertNumber(where: string, help: NumberHelp): void {
  assertProperties(where, help, { ...WORDS, default: finite }, { ...MORE_WORDS, ...RANGE, integer: flag });
  const { default: value, minimum = -Infinity, maximum = Infinity, above = -Infinity, below = Infinity } = help;
  assertArgument(`${where}: default`, value, {
    allowed: 'a number in the range of the field',
    holds: () => value >= minimum && value <= maximum && value > above && value < below,
  });
}

/** A finite number with a default. @throws ArgumentError */
export const quantity: typeof engine.quantity = (help) => {
  assertNumber('quantity', help);
  return engine.quantity(help);
};

/** A whole number with a default. @throws ArgumentError */
export const count: typeof engine.count = (help) => {
  assertNumber('count', help);
  assertArgument('count: default', help.default, { allowed: 'a whole number', holds: Number.isSafeInteger });
  return engine.count(help);
};

/** True or false. @throws ArgumentError */
export const toggle: typeof engine.toggle = (help) => {
  assertProperties('toggle', help, { ...WORDS, default: flag }, MORE_WORDS);
  return engine.toggle(help);
};

/** One of a few words. @throws ArgumentError */
export const choice: typeof engine.choice = (help) => {
  assertProperties('choice', help, { ...WORDS, words: wordList, default: text }, MORE_WORDS);
  assertArgument('choice: default', help.default, oneOf(help.words));
  return engine.choice(help);
};

const isRecord = record.holds as (value: unknown) => value is Readonly<Record<string, unknown>>;
/** Whether a value can be a schema of zod. */
const isSchema = (value: unknown): boolean => isRecord(value) && typeof value['safeParse'] === 'function';

const kindName: Allowed = {
  allowed: 'a name of lower-case letters, digits and hyphens',
  holds: (value) => typeof value === 'string' && /^[a-z][a-z\d-]{0,63}$/.test(value),
};
const fields: Allowed = {
  allowed: 'an object of fields (quantity, count, choice, toggle or schemas of zod)',
  holds: (value) => isRecord(value) && Object.values(value).every(isSchema),
};
const methodSettings: Allowed = {
  allowed: 'what methodSchema returns',
  holds: (value) => isSchema(value) && isRecord(value) && isRecord(value['shape']) && isSchema(value['shape']['kind']),
};
const functions: Allowed = {
  allowed: 'an object of functions',
  holds: (value) => isRecord(value) && Object.values(value).every(callback.holds),
};

const REQUIRED = {
  appearance: {
    allowed: 'an object with shades, dash and marker',
    holds: (value: unknown) =>
      isRecord(value) &&
      Array.isArray(value['shades']) &&
      value['shades'].length > 0 &&
      value['shades'].every((pair) => Array.isArray(pair) && pair.length === 2 && pair.every(text.holds)) &&
      typeof value['dash'] === 'string' &&
      typeof value['marker'] === 'string',
  },
  carries: oneOf(['state', 'ensemble']),
  assimilates: flag,
  trustsSpread: flag,
  create: callback,
};
const OPTIONAL = {
  shortTitle: text,
  mostObservations: wholeBetween(1, Number.MAX_SAFE_INTEGER),
  takesErrors: callback,
  problems: callback,
  warnings: callback,
  memory: callback,
  asking: callback,
  effort: callback,
  spreadSource: callback,
  proposal: callback,
  tuning: callback,
};

/**
 * Makes the schema of a kind of method.
 *
 * @param name as scenario files write the kind
 * @param help title and description of the method, and what the field `kind` says
 * @param shape the method's own settings, by name
 * @throws ArgumentError
 */
export const methodSchema: typeof engine.methodSchema = (name, help, shape) => {
  assertArgument('methodSchema: name', name, kindName);
  assertProperties('methodSchema: help', help, { title: text, description: text, gist: text }, {});
  assertArgument('methodSchema: shape', shape, fields);
  return engine.methodSchema(name, help, shape);
};

/**
 * Defines a kind of method.
 *
 * @param schema what `methodSchema` returns
 * @param parts what the kind says of itself, and `create`, which makes a method of it
 * @throws ArgumentError
 */
export const defineMethod: typeof engine.defineMethod = (schema, parts) => {
  assertArgument('defineMethod: schema', schema, methodSettings);
  assertProperties('defineMethod: parts', parts, REQUIRED, OPTIONAL);
  return engine.defineMethod(schema, parts);
};

/** Makes the `explain` of a method from its answers, by kind of question. @throws ArgumentError */
export const explainWith: typeof engine.explainWith = (answers) => {
  assertArgument('explainWith: answers', answers, functions);
  return engine.explainWith(answers);
};

/**
 * Adds a kind of method, which `readScenario` then knows and every experiment can run beside those of Shoal.
 *
 * @param definition what `defineMethod` returns
 * @returns a function that removes the kind
 * @throws RangeError if the kind exists already, ArgumentError if `definition` does not come from `defineMethod`
 */
export function registerMethod(definition: MethodDefinition<never>): () => void {
  assertArgument('registerMethod: definition', definition, {
    ...having(['create'], 'what defineMethod returns'),
    allowed: 'what defineMethod returns',
  });
  assertArgument('registerMethod: definition.kind', definition.kind, text);
  assertArgument('registerMethod: definition.schema', definition.schema, record);
  return engine.addMethod(definition);
}
