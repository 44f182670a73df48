/** The order in which people look for settings: what is compared comes first. */
import type { ListNode, SectionNode } from './form-nodes.ts';
import { formatPath } from '../format/paths.ts';

const ORDER = ['methods', 'observations', 'background', 'truth', 'experiment', 'model', 'grid', ''];

function place({ path }: SectionNode | ListNode): number {
  return ORDER.indexOf(formatPath(path));
}

/** @returns the groups of a form in that order */
export function ordered(groups: readonly (SectionNode | ListNode)[]): (SectionNode | ListNode)[] {
  return [...groups].sort((a, b) => place(a) - place(b));
}
