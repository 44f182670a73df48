/** What WGSL and GLSL leave undefined, and browsers before 2025 refuse: a smoothstep whose first edge is not the lower one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const STAGE = new URL('../../../app/stage/', import.meta.url).pathname;

it('has the edges of each smoothstep in their order', () => {
  const sources = readdirSync(STAGE).filter((name) => name.endsWith('.ts'));
  const edges = sources.flatMap((name) =>
    [...readFileSync(join(STAGE, name), 'utf8').matchAll(/smoothstep\(float\((-?[\d.]+)\), float\((-?[\d.]+)\)/g)].map(
      ([text, low, high]) => ({ text, isInOrder: Number(low) < Number(high) }),
    ),
  );
  expect(edges.length).toBeGreaterThan(3);
  expect(edges.filter(({ isInOrder }) => !isInOrder)).toEqual([]);
});
