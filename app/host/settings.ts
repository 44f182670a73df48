/** Settings by key, kept by the page's origin. A browser that keeps nothing (a private window) forgets them at the end. */

const PREFIX = 'shoal.';

export interface Settings {
  read(key: string): string | undefined;
  write(key: string, value: string): void;
}

/** @param storage undefined where the browser refuses it */
export function createSettings(storage: Pick<Storage, 'getItem' | 'setItem'> | undefined): Settings {
  const remembered = new Map<string, string>();
  return {
    read(key) {
      try {
        return remembered.get(key) ?? storage?.getItem(PREFIX + key) ?? undefined;
      } catch {
        return undefined;
      }
    },
    write(key, value) {
      remembered.set(key, value);
      try {
        storage?.setItem(PREFIX + key, value);
      } catch {
        // Full or forbidden: it is remembered as long as the page lives.
      }
    },
  };
}

/** The page's storage, or undefined where even asking for it throws. */
export function pageStorage(): Storage | undefined {
  try {
    return globalThis.localStorage;
  } catch {
    return undefined;
  }
}
