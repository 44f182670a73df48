import { options, type Component, type VNode } from 'preact';

/** What Preact 11 calls a virtual node's component and what it rendered, in its build: `mangle.json` of its sources. */
const COMPONENT = '__c';
const CHILDREN = '__k';

interface DrawnNode extends VNode {
  [COMPONENT]?: Component | null;
  [CHILDREN]?: unknown[] | null;
}

/**
 * Lets the virtual nodes of earlier renders be collected, from now on. Preact's other plugins are called as before.
 *
 * Preact keeps the first virtual node of a component that renders by itself, since its parent's `children` hold it, and with that
 * node everything it rendered then. A component that had nothing new to render hands its children on to its next node, so that the
 * earlier tree leads to the next one, and that to the next: a window that shows every cycle of a run would keep every render, with
 * the points of its charts. Here a component's earlier node loses its children as soon as the next one is drawn.
 */
export function releaseRenders(): void {
  const drawn = new WeakMap<Component, DrawnNode>();
  const next = options.diffed?.bind(options);
  options.diffed = (node: DrawnNode) => {
    const component = node[COMPONENT];
    if (component) {
      const earlier = drawn.get(component);
      if (earlier && earlier !== node) earlier[CHILDREN] = null;
      drawn.set(component, node);
    }
    next?.(node);
  };
}
