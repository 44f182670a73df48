/** What is left of the form when people look for something. */
import type { FormNode } from './form-nodes.ts';
import { formatPath } from '../format/paths.ts';

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
