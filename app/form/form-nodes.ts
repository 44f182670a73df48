/** What the form of a scenario consists of: plain data that the components print, filtered, in their order, and by name. */
import { formatPath, type Path } from '../format/paths.ts';

/** A setting with its path of titles: `Methods › LETKF › Localisation › Half-width`. */
interface TitledLeaf {
  readonly path: string;
  readonly title: string;
  readonly help: string;
}

const IN = ' › ';

function* leavesIn(node: FormNode, around: readonly string[]): Generator<TitledLeaf> {
  const titles = [...around, node.title];
  if (node.kind === 'section') {
    for (const child of node.children) yield* leavesIn(child, titles);
  } else if (node.kind === 'list') {
    for (const entry of node.entries) yield* leavesIn(entry, titles);
  } else {
    yield { path: formatPath(node.path), title: titles.join(IN), help: node.help };
  }
}

/** @returns every value of a form that can be set, in its order */
export function titledLeaves(form: readonly FormNode[]): TitledLeaf[] {
  return form.flatMap((group) => [...leavesIn(group, [])]);
}

const ORDER = ['methods', 'observations', 'background', 'truth', 'experiment', 'model', 'grid', ''];

function place({ path }: SectionNode | ListNode): number {
  return ORDER.indexOf(formatPath(path));
}

/** @returns the groups of a form in that order */
export function ordered(groups: readonly (SectionNode | ListNode)[]): (SectionNode | ListNode)[] {
  return [...groups].sort((a, b) => place(a) - place(b));
}

/** Words of a node that the filter looks at. */
function textOf({ path, title, help, unit }: FormNode): string {
  return `${formatPath(path)} ${title} ${help} ${unit}`.toLowerCase();
}

/**
 * @param keep words of the filter, lower case; every one of them must be found in the node or in what contains it
 * @param changedOnly omits what is as it runs
 * @returns the node with what is left of it, or undefined
 */
export function filterNode(node: FormNode, keep: readonly string[], changedOnly: boolean): FormNode | undefined {
  const text = textOf(node);
  const missing = keep.filter((word) => !text.includes(word));
  if (changedOnly && !node.changed) return undefined;
  if (node.kind === 'section') {
    const children = node.children.flatMap((child) => filterNode(child, missing, changedOnly) ?? []);
    return children.length === 0 && (missing.length > 0 || node.children.length > 0)
      ? undefined
      : { ...node, children };
  }
  if (node.kind === 'list') {
    const entries = node.entries.flatMap((entry) => {
      const left = filterNode(entry, missing, changedOnly);
      return left?.kind === 'section' ? [left] : [];
    });
    return entries.length === 0 && missing.length > 0 ? undefined : { ...node, entries };
  }
  return missing.length === 0 ? node : undefined;
}

/** @returns the words of a filter */
export function filterWords(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

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
