import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parameterBlock } from '../../../../engine/compute/wasm/parameter-block.ts';

const engine = fileURLToPath(new URL('../../../../engine', import.meta.url));

function textOf(matches: (name: string) => boolean): string {
  return readdirSync(engine, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && matches(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

/** Members of a description or a class, `name: kind`, in order. */
function membersOf(body: string): string[] {
  return [...body.replaceAll(/\/\*\*[\s\S]*?\*\//g, '').matchAll(/(\w+): '?(\w+)'?/g)].map(
    ([, name, kind]) => `${name}: ${kind === 'usize' ? 'pointer' : kind}`,
  );
}

const classes = new Map(
  [...textOf((name) => name.endsWith('.as.ts')).matchAll(/@unmanaged\n(?:export )?class (\w+) \{([\s\S]*?)\n\}/g)].map(
    ([, name, body]) => [name, membersOf(body)],
  ),
);
const sources = textOf((name) => name.endsWith('.ts') && !name.endsWith('.as.ts'));
/** What several blocks begin with. */
const shared = new Map(
  [...sources.matchAll(/const ([A-Z_\d]+) = \{([\s\S]*?)\n\} as const/g)].map(([, name, body]) => [name, body]),
);
const described = [...sources.matchAll(/parameterBlock\('(\w+)', \{([\s\S]*?)\n\}\)/g)].map(([, name, body]) => ({
  name,
  members: membersOf(body.replaceAll(/\.\.\.(\w+)/g, (_, constant: string) => shared.get(constant) ?? '')),
}));

describe('parameter blocks', () => {
  it('are found', () => expect(described.length).toBeGreaterThanOrEqual(8));

  it.each(described)('$name has the members of the class of its name, in their order', ({ name, members }) => {
    expect(classes.get(name)).toEqual(members);
  });

  it('write words by name, little-endian and one after the other', () => {
    const block = parameterBlock('Sizes', { count: 'i32', factor: 'f32', place: 'pointer' });
    const memory = new ArrayBuffer(64);
    block.write(memory, 16, { place: 0xf000_0000, count: -3, factor: 0.1 });
    const view = new DataView(memory, 16);
    expect(block.bytes).toBe(12);
    expect(view.getInt32(0, true)).toBe(-3);
    expect(view.getFloat32(4, true)).toBe(Math.fround(0.1));
    expect(view.getUint32(8, true)).toBe(0xf000_0000);
  });

  it('leave what is not given as it was', () => {
    const block = parameterBlock('Sizes', { count: 'i32', place: 'pointer' });
    const memory = new ArrayBuffer(8);
    block.write(memory, 0, { count: 5, place: 7 });
    block.write(memory, 0, { place: 9 });
    expect([...new Uint32Array(memory)]).toEqual([5, 9]);
  });
});
