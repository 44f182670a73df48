/** Who listens to what the host does for the device, and how it is reported: nothing is timed twice, and nothing is kept. */
import type { HostActivity } from '../backend.ts';

export interface Activities {
  /** @returns what ends it */
  on(listener: (activity: HostActivity) => void): () => void;
  /** Something that began then is over now. @param begin milliseconds of `performance.now()` */
  tell(kind: HostActivity['kind'], begin: number, bytes?: number): void;
}

export function createActivities(): Activities {
  const listeners = new Set<(activity: HostActivity) => void>();
  return {
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(kind, begin, bytes = 0) {
      if (listeners.size === 0) return;
      const milliseconds = performance.now() - begin;
      for (const listener of listeners) listener({ kind, begin, milliseconds, bytes });
    },
  };
}
