/** The settings of a scenario that can change while a run continues, by what they are of: the form of a branch. Pure functions. */
import { effectOf } from '../../../engine/index.ts';
import { filterNode } from '../../form/form-nodes.ts';
import type { FormNode, LeafNode, ListNode, SectionNode } from '../../form/form-nodes.ts';

import { formatPath } from '../../format/paths.ts';

/** Settings of a method, of a network, or of the whole. */
export interface ForkGroup {
  readonly key: string;
  readonly title: string;
  /** Each with the titles of all that it lies in within the group, as in `Localisation › Half-width`. */
  readonly fields: readonly LeafNode[];
}

const IN = ' › ';

function fieldsOf(node: FormNode, around: readonly string[]): LeafNode[] {
  const titles = [...around, node.title];
  if (node.kind === 'section') return node.children.flatMap((child) => fieldsOf(child, titles));
  if (node.kind === 'list') return node.entries.flatMap((entry) => fieldsOf(entry, titles));
  return effectOf(formatPath(node.path)) === 'next-cycle' ? [{ ...node, title: titles.join(IN) }] : [];
}

/** The settings inside of a section, by their titles in it. */
function groupOf(section: SectionNode, title: string): ForkGroup {
  return {
    key: formatPath(section.path),
    title,
    fields: section.children.flatMap((child) => fieldsOf(child, [])),
  };
}

/** @returns what is left of the groups for words that somebody looks for: in the group's title, or in a field's own words */
export function filterGroups(groups: readonly ForkGroup[], words: readonly string[]): readonly ForkGroup[] {
  if (words.length === 0) return groups;
  return groups.flatMap((group) => {
    const missing = words.filter((word) => !group.title.toLowerCase().includes(word));
    const fields = group.fields.filter((field) => filterNode(field, missing, false) !== undefined);
    return fields.length > 0 ? [{ ...group, fields }] : [];
  });
}

/** @returns the groups that have anything to change, in the form's order */
export function forkGroups(form: readonly (SectionNode | ListNode)[]): readonly ForkGroup[] {
  return form
    .flatMap((part) =>
      part.kind === 'list' ? part.entries.map((entry) => groupOf(entry, entry.title)) : [groupOf(part, part.title)],
    )
    .filter(({ fields }) => fields.length > 0);
}
