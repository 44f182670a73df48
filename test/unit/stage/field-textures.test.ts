/** Planes as textures: those of a GPU that the stage does not draw with are read back. */
import type { DataTexture, Texture } from 'three/webgpu';
import { expect, it } from 'vitest';
import type { Plane } from '../../../engine/index.ts';
import { createFieldTextures } from '../../../app/stage/field-textures.ts';
import { createReader } from '../../../app/document/values/plane-readers.ts';
import { hostReader } from '../../../app/document/values/plane-reader.ts';

function valuesOf(texture: Texture): number[] {
  return Array.from((texture as DataTexture).image.data as Float32Array);
}

function onDevice(): Plane {
  return { kind: 'device' } as unknown as Plane;
}

it('shows planes in memory, and their weighted sums', () => {
  const textures = createFieldTextures(2, 1, undefined, hostReader, () => undefined);
  const a: Plane = { kind: 'host', values: Float32Array.of(1, 2) };
  const b: Plane = { kind: 'host', values: Float32Array.of(3, 6) };
  expect(valuesOf(textures.get('a', a))).toEqual([1, 2]);
  expect(valuesOf(textures.get('a', { a, weightA: 0.5, b, weightB: 0.5 }))).toEqual([2, 4]);
  textures.dispose();
});

it('reads planes of a GPU back if it draws without it, and keeps the last picture meanwhile', async () => {
  const [first, second] = [onDevice(), onDevice()];
  const numbers = new Map([
    [first, Float32Array.of(1, 2)],
    [second, Float32Array.of(3, 6)],
  ]);
  let read = 0;
  const reader = createReader(async (requests) => requests.map(({ plane }) => numbers.get(plane) ?? []));
  const textures = createFieldTextures(2, 1, undefined, reader, () => (read += 1));

  const texture = textures.get('eta', first);
  expect(valuesOf(texture)).toEqual([0, 0]);
  await expect.poll(() => read).toBe(1);
  expect(valuesOf(texture)).toEqual([1, 2]);

  expect(textures.get('eta', { a: first, weightA: 0.5, b: second, weightB: 0.5 })).toBe(texture);
  expect(valuesOf(texture)).toEqual([1, 2]);
  await expect.poll(() => read).toBe(2);
  expect(valuesOf(texture)).toEqual([2, 4]);
  // Both planes are here: another moment between them is shown at once.
  textures.get('eta', { a: first, weightA: 0, b: second, weightB: 1 });
  expect(valuesOf(texture)).toEqual([3, 6]);
  textures.dispose();
});
