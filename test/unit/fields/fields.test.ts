/** Every field of the stage: its definition is whole, and the shader's numbers are those of the host. */
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest';
import { DataTexture, FloatType, NearestFilter, RedFormat, StorageBufferAttribute, WebGPURenderer } from 'three/webgpu';
import type { Texture } from 'three/webgpu';
import { Fn, instanceIndex, int, ivec2, storage } from 'three/tsl';
import { nodeGpu } from '../../../app/cli/adapters.ts';
import type { BasinInfo } from '../../../engine/index.ts';
import { COLOUR_MAP_NAMES } from '../../../app/fields/colours.ts';
import { createFieldNodes, fieldNumber } from '../../../app/stage/field-nodes.ts';
import { programOf } from '../../../app/stage/view-materials.ts';
import { fieldValues, planesOfField } from '../../../app/document/views/field-values.ts';
import type { FieldPlanes } from '../../../app/document/views/field-values.ts';
import { FIELDS, VIEW_FIELDS, fieldOf, isFieldId } from '../../../app/fields/fields.ts';
import { requestDevice } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import '../../setup/matchers.ts';

// Three looks for a window's frames when it is loaded; here nothing is drawn.
vi.hoisted(() => {
  const frames = { requestAnimationFrame: () => 0, cancelAnimationFrame: () => undefined };
  Object.assign(globalThis, { self: Object.assign(globalThis, frames) });
});

const ids = VIEW_FIELDS.map(({ id }) => id);

test('have ids of their own, words, a map that there is, and a formula', () => {
  expect(new Set(ids).size).toBe(ids.length);
  for (const field of VIEW_FIELDS) {
    expect(fieldOf(field.id)).toBe(field);
    // What represents planes that are shown in place of a field cannot be chosen.
    expect(isFieldId(field.id)).toBe(FIELDS.includes(field as (typeof FIELDS)[number]));
    for (const words of [field.title, field.symbol, field.description]) expect(words).not.toBe('');
    expect(field.description).toMatch(/\.$/);
    expect(COLOUR_MAP_NAMES).toContain(field.colourMap);
    expect(field.scale === 'diverging').toBe(field.colourMap === 'diverging');
    expect(planesOfField(field.id)[0]).toBe('eta');
  }
  // What lifts the surface by itself is a height.
  const lifting = FIELDS.filter(({ lift }) => lift === 'value').map(({ unit }) => unit);
  expect(new Set(lifting)).toEqual(new Set(['m']));
  expect(isFieldId('constructor')).toBe(false);
});

const [nx, ny] = [9, 7];
const DRY = 0.05;

function plane(value: (i: number, j: number) => number): Float32Array {
  return Float32Array.from({ length: nx * ny }, (_, cell) => value(cell % nx, Math.floor(cell / nx)));
}

/** Water over an uneven bed, with a beach that falls dry. */
const bed = plane((i, j) => (i === 8 ? 0.5 : -3 + 0.3 * Math.sin(i + 2 * j)));
const planes: Record<keyof FieldPlanes, Float32Array> = {
  eta: plane((i, j) => (i === 8 ? 0.51 : 0.2 * Math.cos(0.7 * i - j))),
  hu: plane((i, j) => 2 * Math.sin(0.9 * i + 0.4 * j)),
  hv: plane((i, j) => 1.5 * Math.cos(0.5 * i * j)),
  truthEta: plane((i, j) => 0.2 * Math.cos(0.6 * i - j)),
  forecastEta: plane((i, j) => 0.25 * Math.cos(0.7 * i - j)),
  spread: plane((i, j) => 0.05 + 0.01 * ((i * j) % 3)),
  shown: plane((i, j) => Math.sin(i - 0.3 * j)),
  local: plane((i, j) => (i + 2 * j) % 5),
};

function textureOf(values: Float32Array): Texture {
  const texture = new DataTexture(values, nx, ny, RedFormat, FloatType);
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.needsUpdate = true;
  return texture;
}

const nothing = (): void => undefined;

/** What three asks of a canvas that is never drawn to. */
function noCanvas(): HTMLCanvasElement {
  return { width: 1, height: 1, style: {}, addEventListener: nothing, removeEventListener: nothing } as never;
}

const onGpu = backends.some(({ name }) => name === 'webgpu');

describe.skipIf(!onGpu)('in the shader', () => {
  let renderer: WebGPURenderer;
  beforeAll(async () => {
    const { device } = await requestDevice(await nodeGpu());
    renderer = new WebGPURenderer({ canvas: noCanvas(), device });
    await renderer.init();
  });
  afterAll(() => renderer.dispose());

  describe.each([
    ['between walls', false, false],
    ['periodic along x', true, false],
    ['periodic', true, true],
  ])('%s', (_, periodicX, periodicY) => {
    const basin: BasinInfo = { nx, ny, dx: 10, dy: 20, periodicX, periodicY, bed, gravity: 9.81, coriolis: 1e-4 };

    it.each(
      ids.flatMap(
        (id) =>
          [
            [id, 'one of all', false],
            [id, 'the only one', true],
          ] as const,
      ),
    )('%s, %s that the program shows, is what it is on the host', async (id, _which, inSoftware) => {
      const nodes = createFieldNodes(basin, programOf(id, 'colour-mapped', inSoftware).fields);
      for (const [name, values] of Object.entries({ ...planes, bed })) {
        nodes.setPlane(name as keyof typeof planes, textureOf(values));
      }
      nodes.uniforms.field.value = fieldNumber(id);
      nodes.uniforms.dry.value = DRY;
      const found = new StorageBufferAttribute(new Float32Array(nx * ny), 1);
      const target = storage(found, 'float', nx * ny);
      const compute = Fn(() => {
        const cell = int(instanceIndex);
        target.element(instanceIndex).assign(nodes.valueAt(ivec2(cell.mod(int(nx)), cell.div(int(nx)))));
      })().compute(nx * ny);
      await renderer.computeAsync(compute);
      const shader = new Float32Array(await renderer.getArrayBufferAsync(found));
      const valueAt = fieldValues(id, planes, basin, DRY);
      const host = plane(valueAt);
      const size = Math.max(...host.map(Math.abs));
      expect(size).toBeGreaterThan(0);
      // A dozen operations, differences among them, on numbers of about one: as many units of float32.
      expect(shader).toBeClose(host, { absolute: 16 * 2 ** -24 * Math.max(size, 1) });
    });
  });
});
