/** The database of recent files, in memory. */
import type { EntryStore, RecentEntry } from '../../../app/host/browser.ts';

export function memoryStore(): EntryStore & { readonly entries: Map<string, RecentEntry> } {
  const entries = new Map<string, RecentEntry>();
  return {
    entries,
    all: () => Promise.resolve([...entries.values()]),
    put: (entry) => Promise.resolve(void entries.set(entry.id, entry)),
    remove: (id) => Promise.resolve(void entries.delete(id)),
  };
}
