/** The page's database of choices: kept and found a device each, and a browser that keeps nothing. */
import { describe, expect, it } from 'vitest';
import { createKeptTuning } from '../../../../app/document/compute/kept-tuning.ts';

const record = { device: 'a GPU', version: 'v', choices: [] };

describe('what the page keeps of the tuning', () => {
  it('is found again by its device', async () => {
    const kept = new Map<string, unknown>();
    const store = createKeptTuning(() => ({
      get: (device) => Promise.resolve(kept.get(device)),
      set: (device, found) => Promise.resolve(void kept.set(device, found)),
    }));
    expect(await store.find('a GPU')).toBeUndefined();
    await store.keep(record);
    expect(await store.find('a GPU')).toEqual(record);
    expect(await store.find('another')).toBeUndefined();
  });

  it.each([
    [
      'refuses to open one',
      () => {
        throw new Error('no database here');
      },
    ],
    [
      'fails to read and write',
      () => ({ get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('full')) }),
    ],
    ['never answers', () => ({ get: () => new Promise<unknown>(() => undefined), set: () => Promise.resolve() })],
  ])('is nothing in a browser that %s', async (_how, open) => {
    const store = createKeptTuning(open);
    await expect(store.keep(record)).resolves.toBeUndefined();
    expect(await store.find('a GPU')).toBeUndefined();
  });
});
