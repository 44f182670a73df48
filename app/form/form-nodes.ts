/** What the form of a scenario consists of: plain data that the components print. */
import type { Path } from '../format/paths.ts';

export interface NodeBase {
  readonly path: Path;
  readonly title: string;
  readonly help: string;
  readonly unit: string;
  /** What holds: the draft's value, or the default. */
  readonly value: unknown;
  /** What would hold if the draft omitted it; undefined if there is no default. */
  readonly fallback: unknown;
  /** Whether the draft says it. */
  readonly written: boolean;
  /** Whether the draft differs here from what runs. */
  readonly changed: boolean;
}

export interface NumberNode extends NodeBase {
  readonly kind: 'number';
  readonly integer: boolean;
  readonly range: NumberRange;
  /** A word that may replace the number: `auto`. */
  readonly word: string | undefined;
}

export interface NumberRange {
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
}

export interface TupleNode extends NodeBase {
  readonly kind: 'tuple';
  readonly parts: readonly NumberNode[];
}

export interface ChoiceNode extends NodeBase {
  readonly kind: 'choice';
  readonly options: readonly Option[];
}

export interface Option {
  readonly value: string;
  readonly title: string;
  readonly help: string;
}

export interface ToggleNode extends NodeBase {
  readonly kind: 'toggle';
}

export interface TextNode extends NodeBase {
  readonly kind: 'text';
  readonly long: boolean;
  readonly optional: boolean;
  readonly example: string;
}

/** A list of numbers or of pairs, as text: one entry a line. */
export interface NumbersNode extends NodeBase {
  readonly kind: 'numbers';
  /** Numbers in an entry. */
  readonly columns: number;
}

export interface SectionNode extends NodeBase {
  readonly kind: 'section';
  readonly children: readonly FormNode[];
  /** Which variant of a setting that has several. */
  readonly variants: readonly Option[];
  readonly variant: string | undefined;
}

export interface ListNode extends NodeBase {
  readonly kind: 'list';
  readonly entries: readonly SectionNode[];
  readonly minimum: number;
  readonly maximum: number;
  /** What an entry may be; none where all are of one form. */
  readonly variants: readonly Option[];
}

export type FormNode =
  | NumberNode
  | TupleNode
  | ChoiceNode
  | ToggleNode
  | TextNode
  | NumbersNode
  | SectionNode
  | ListNode;
/** A node with a value of its own. */
export type LeafNode = Exclude<FormNode, SectionNode | ListNode>;
