/** The settings by name: each with the titles of all that it lies in, `Methods › LETKF › Localisation › Half-width`. */
import type { FormNode } from './form-nodes.ts';
import { formatPath } from '../format/paths.ts';

export interface TitledLeaf {
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
