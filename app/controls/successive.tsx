/**
 * Shows its children one after another, each in a task of its own: many figures at once would hold the page up. A child whose
 * properties are the same is not rendered again; what it reads of the state renders it again by itself.
 */
import { isValidElement, toChildArray } from 'preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createTurns } from './turns.ts';
import { sameProperties } from './same-properties.ts';

type Part = ReturnType<typeof toChildArray>[number];

function isSame(a: Part, b: Part): boolean {
  if (!isValidElement(a) || !isValidElement(b)) return a === b;
  return a.type === b.type && a.key === b.key && sameProperties(a.props, b.props);
}

export function Successive({ children }: { readonly children: ComponentChildren }) {
  const [turns] = useState(() => createTurns(isSame));
  const [, renew] = useState(0);
  const offered = useRef<ComponentChildren>(undefined);
  if (offered.current !== children) {
    offered.current = children;
    turns.offer(toChildArray(children));
  }
  const isMore = turns.step();
  useEffect(() => {
    if (!isMore) return undefined;
    const timer = setTimeout(() => renew((count) => count + 1));
    return () => clearTimeout(timer);
  });
  return <>{turns.shown}</>;
}
