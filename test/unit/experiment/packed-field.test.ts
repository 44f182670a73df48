import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packFields } from '../../../engine/experiment/packed-field.ts';
import type { Backend } from '../../../engine/index.ts';
import { allBackends } from '../../setup/backends.ts';

describe.each(allBackends)('a packed field on $name', ({ open }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it('brings several short fields in one', async () => {
    const packed = packFields(backend, 'packed', 'index', { ranks: 3, count: 1, cells: 2 });
    const field = backend.allocate('field', 'index', 3);
    for (const [name, values] of [
      ['cells', [7, 8, 0]],
      ['ranks', [1, 2, 3]],
      ['count', [5, 0, 0]],
    ] as const) {
      backend.write(field, values);
      packed.keep(name, field);
    }
    const staged = packed.stage();
    await backend.collect();
    const all = await staged;
    expect({
      ranks: [...packed.part(all, 'ranks')],
      count: [...packed.part(all, 'count')],
      cells: [...packed.part(all, 'cells')],
    }).toEqual({ ranks: [1, 2, 3], count: [5], cells: [7, 8] });
    for (const owned of [packed, field]) owned.dispose();
  });

  it('is staged as it was then, whatever is kept afterwards', async () => {
    const packed = packFields(backend, 'packed', 'real', { value: 1 });
    const field = backend.allocate('field', 'real', 1);
    backend.write(field, [1]);
    packed.keep('value', field);
    const staged = packed.stage();
    backend.write(field, [2]);
    packed.keep('value', field);
    await backend.collect();
    expect([...packed.part(await staged, 'value')]).toEqual([1]);
    for (const owned of [packed, field]) owned.dispose();
  });
});
