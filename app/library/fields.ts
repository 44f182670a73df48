/** The settings of a method of your own: the engine's fields behind checks of what they are described with. */
import { assertArgument, assertProperties, finite, flag, oneOf, text } from './arguments.ts';
import type { Allowed } from './arguments.ts';
import * as engine from '../../engine/index.ts';

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
