/** Shows its children one after another, each in a task of its own: many figures at once would hold the page up. */
import { toChildArray } from 'preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createTurns } from './turns.ts';

type Part = ReturnType<typeof toChildArray>[number];

export function Successive({ children }: { readonly children: ComponentChildren }) {
  const [turns] = useState(() => createTurns<Part>());
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
