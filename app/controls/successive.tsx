/**
 * Shows its children one after another, each in a task of its own: many figures at once would hold the page up. A child whose
 * properties are the same is not rendered again; what it reads of the state renders it again by itself.
 */
import { isValidElement, toChildArray, type ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** @returns whether two objects have the same properties with the same values */
export function sameProperties(a: object, b: object): boolean {
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))];
  return (
    left.size === right.size && [...left].every(([key, value]) => right.has(key) && Object.is(right.get(key), value))
  );
}

/** Parts of a page that are renewed one after another: whoever is renewed last is renewed first the next time. Pure. */

interface Turns<Part> {
  /** What the parts are from now on; each is renewed in its turn. */
  offer(parts: readonly Part[]): void;
  /** Renews one part. @returns whether there are more to be renewed */
  step(): boolean;
  /** Parts as they were renewed last, without those that are still to come for the first time. */
  readonly shown: readonly Part[];
}

/** @param isSame whether a part need not be renewed for another one */
export function createTurns<Part>(isSame: (a: Part, b: Part) => boolean = Object.is): Turns<Part> {
  let latest: readonly Part[] = [];
  let shown: readonly Part[] = [];
  let waiting: ReadonlySet<number> = new Set();
  let last = -1;
  /** The first part that waits after the one that was renewed last; those that nobody has seen come in their order. */
  const next = (): number | undefined => {
    if (shown.length < latest.length) return shown.length;
    const places = [...waiting].sort((a, b) => a - b);
    return places.find((place) => place > last) ?? places[0];
  };
  return {
    get shown() {
      return shown;
    },
    offer(parts) {
      shown = shown.slice(0, parts.length);
      const isShown = (part: Part, place: number): boolean => place < shown.length && isSame(part, shown[place]);
      waiting = new Set(parts.flatMap((part, place) => (isShown(part, place) ? [] : [place])));
      latest = parts;
    },
    step() {
      const place = next();
      if (place === undefined) return false;
      last = place;
      shown = place < shown.length ? shown.with(place, latest[place]) : [...shown, latest[place]];
      waiting = new Set([...waiting].filter((each) => each !== place));
      return waiting.size > 0;
    },
  };
}

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
