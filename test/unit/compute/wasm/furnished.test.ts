/** Every operator of the program has kernels of its own on the wasm backend, all of them in one module. */
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const engine = fileURLToPath(new URL('../../../../engine', import.meta.url));
const sources = readdirSync(engine, { withFileTypes: true, recursive: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: relative(engine, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }));

/** Not run where work is done when it is queued: there a minimisation goes step by step, each by a kernel. */
const AT_ONCE = 'operators/filtered-minimisation/index.ts';

/** An operator of several kernels, defined with `defineOperator` or as an object. */
const DEFINED = /\b(defineOperator<(?!Parameters\b)|implementations: \{)/g;

const rooms = sources.filter(
  ({ path, text }) => !path.startsWith('compute/') && !path.endsWith('.as.ts') && count(text, DEFINED) > 0,
);

function count(text: string, what: RegExp): number {
  return [...text.matchAll(what)].length;
}

describe('the rooms of the wasm backend', () => {
  it('are found', () => expect(rooms.length).toBeGreaterThan(15));

  it.each(rooms.filter(({ path }) => path !== AT_ONCE))('$path has a wasm part for each operator', ({ text }) => {
    expect(count(text, /^ {2,4}wasm: async /gm)).toBe(count(text, DEFINED));
  });

  const kernels = sources
    .filter(({ path }) => path.endsWith('.as.ts') && !path.endsWith('-library.as.ts'))
    .flatMap(({ text }) => [...text.matchAll(/^export function (\w+)\(/gm)].map(([, kernel]) => kernel));

  it('have kernels of different names', () => {
    expect(new Set(kernels).size).toBe(kernels.length);
  });

  const single = sources
    .filter(({ text }) => text.includes('= kernelOperator('))
    .flatMap(({ text }) =>
      [...text.matchAll(/\bkernel: .*/g)].flatMap(([line]) => line.match(/(?<=')[a-z]\w+(?=')/gi) ?? []),
    );

  it('have the kernels that operators with one of them name', () => {
    expect(single.length).toBeGreaterThan(20);
    expect(single.filter((kernel) => kernel !== 'spread' && !kernels.includes(kernel))).toEqual([]);
  });
});
