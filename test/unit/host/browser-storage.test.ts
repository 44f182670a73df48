/** What a browser keeps for the page: settings and recent files. */
import { describe, expect, it } from 'vitest';
import { createRecentFiles, createSettings, MOST_RECENT_FILES } from '../../../app/host/browser.ts';
import { memoryStore } from './memory-store.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

describe('settings', () => {
  it('are kept under a name of their own', () => {
    const kept = new Map<string, string>();
    const storage = {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
    createSettings(storage).write('theme', 'dark');
    expect([...kept]).toEqual([['shoal.theme', 'dark']]);
    expect(createSettings(storage).read('theme')).toBe('dark');
    expect(createSettings(storage).read('other')).toBeUndefined();
  });

  it('are remembered for the page where the browser keeps nothing', () => {
    const refusing = {
      getItem: () => {
        throw new Error('forbidden');
      },
      setItem: () => {
        throw new Error('full');
      },
    };
    const settings = createSettings(refusing);
    expect(settings.read('theme')).toBeUndefined();
    settings.write('theme', 'dark');
    expect(settings.read('theme')).toBe('dark');
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new Error('private'));
}

describe('recent files', () => {
  it('are the newest ten, each once', async () => {
    const store = memoryStore();
    let time = 0;
    const recent = createRecentFiles(store, () => (time += 1));
    for (let i = 0; i < MOST_RECENT_FILES + 3; i++) await recent.add({ name: `${i}.json`, bytes: bytesOf('{}') });
    await recent.add({ name: '5.json', bytes: bytesOf('new') });
    const names = (await recent.list()).map(({ name }) => name);
    expect(names).toHaveLength(MOST_RECENT_FILES);
    expect(names.slice(0, 2)).toEqual(['5.json', '12.json']);
    expect(textOf((await recent.open('5.json'))?.bytes)).toBe('new');
  });

  it('are forgotten when their file can no longer be read', async () => {
    const store = memoryStore();
    const recent = createRecentFiles(store);
    const gone = { getFile: () => Promise.reject(new Error('gone')) } as unknown as FileSystemFileHandle;
    await recent.add({ name: 'a.json', handle: gone });
    expect(await recent.open('a.json')).toBeUndefined();
    expect(await recent.list()).toEqual([]);
  });

  it('are none where the browser keeps nothing', async () => {
    const recent = createRecentFiles({ all: refuse, put: refuse, remove: refuse });
    await recent.add({ name: 'a.json', bytes: bytesOf('{}') });
    expect(await recent.list()).toEqual([]);
  });
});
