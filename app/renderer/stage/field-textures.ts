/**
 * The planes of the snapshot on screen as r32float textures, one for each plane that a view needs, filled when the snapshot
 * changes: by one upload from memory, or by a copy on the GPU. A texture keeps its identity, so that nothing is bound anew.
 * Water between two moments is the weighted sum of two planes, made where they lie.
 */
import { DataTexture, ExternalTexture, FloatType, NearestFilter, NoColorSpace, RedFormat } from 'three/webgpu';
import type { Texture } from 'three/webgpu';
import { createPlaneTextures } from '../../../engine/index.ts';
import type { PlaneTextures } from '../../../engine/index.ts';
import type { Plane } from '../session/session.ts';

/** weightA·a + weightB·b */
export interface Blend {
  readonly a: Plane;
  readonly weightA: number;
  readonly b: Plane;
  readonly weightB: number;
}

export interface FieldTextures {
  /** @returns the texture of that name holding this plane, or two of them; undefined gives a plane of zeros */
  get(name: string, content: Plane | Blend | undefined): Texture;
  dispose(): void;
}

interface HostSlot {
  readonly kind: 'host';
  readonly texture: DataTexture;
  /** For blends: planes themselves belong to their snapshots. */
  mixed: Float32Array | undefined;
  content: Plane | Blend;
}

interface DeviceSlot {
  readonly kind: 'device';
  readonly texture: ExternalTexture;
  readonly memory: GPUTexture;
  content: Plane | Blend | undefined;
}

function isBlend(content: Plane | Blend): content is Blend {
  return 'weightA' in content;
}

function sameContent(a: Plane | Blend | undefined, b: Plane | Blend): boolean {
  if (a === b || !a || !isBlend(a) || !isBlend(b)) return a === b;
  return a.a === b.a && a.b === b.b && a.weightA === b.weightA && a.weightB === b.weightB;
}

function asPlane<T extends Texture>(texture: T): T {
  texture.format = RedFormat;
  texture.type = FloatType;
  texture.minFilter = NearestFilter;
  texture.magFilter = NearestFilter;
  texture.colorSpace = NoColorSpace;
  texture.generateMipmaps = false;
  texture.unpackAlignment = 4;
  return texture;
}

/** @returns a texture of r32float numbers from memory, [y][x] */
export function planeTexture(values: Float32Array, nx: number, ny: number): DataTexture {
  const texture = asPlane(new DataTexture(values as Float32Array<ArrayBuffer>, nx, ny, RedFormat, FloatType));
  texture.needsUpdate = true;
  return texture;
}

/** @param device whose buffers the device planes are; undefined where the stage draws with WebGL */
export function createFieldTextures(nx: number, ny: number, device: GPUDevice | undefined): FieldTextures {
  const slots = new Map<string, HostSlot | DeviceSlot>();
  const zeros = planeTexture(new Float32Array(nx * ny), nx, ny);
  let deviceTextures: PlaneTextures | undefined;

  const release = (slot: HostSlot | DeviceSlot): void => {
    slot.texture.dispose();
    if (slot.kind === 'device') slot.memory.destroy();
  };
  const onDevice = (): PlaneTextures => {
    if (!device) throw new RangeError('a plane lies on a GPU device that the stage does not draw with');
    deviceTextures ??= createPlaneTextures(device, nx, ny);
    return deviceTextures;
  };
  const hostSlot = (): HostSlot => ({
    kind: 'host',
    texture: planeTexture(new Float32Array(nx * ny), nx, ny),
    mixed: undefined,
    content: { kind: 'host', values: new Float32Array(0) },
  });
  const deviceSlot = (name: string): DeviceSlot => {
    const memory = onDevice().create(`stage.${name}`);
    const texture = asPlane(new ExternalTexture(memory));
    Object.assign(texture, { image: { width: nx, height: ny } });
    return { kind: 'device', texture, memory, content: undefined };
  };
  const fillHost = (slot: HostSlot, content: Plane | Blend): void => {
    if (!isBlend(content)) {
      if (content.kind === 'host') slot.texture.image.data = content.values;
      return;
    }
    const { a, b, weightA, weightB } = content;
    if (a.kind !== 'host' || b.kind !== 'host') return;
    slot.mixed ??= new Float32Array(nx * ny);
    const { mixed } = slot;
    for (let cell = 0; cell < mixed.length; cell++) mixed[cell] = weightA * a.values[cell] + weightB * b.values[cell];
    slot.texture.image.data = mixed;
  };
  const fillDevice = (slot: DeviceSlot, content: Plane | Blend): void => {
    if (!isBlend(content)) {
      if (content.kind === 'device') onDevice().copy(content, slot.memory);
    } else if (content.a.kind === 'device' && content.b.kind === 'device') {
      onDevice().blend(content.a, content.weightA, content.b, content.weightB, slot.memory);
    }
  };

  return {
    get(name, content) {
      if (!content) return zeros;
      const { kind } = isBlend(content) ? content.a : content;
      let slot = slots.get(name);
      if (slot && slot.kind !== kind) {
        release(slot);
        slot = undefined;
      }
      if (!slot) {
        slot = kind === 'host' ? hostSlot() : deviceSlot(name);
        slots.set(name, slot);
      }
      if (sameContent(slot.content, content)) return slot.texture;
      slot.content = content;
      if (slot.kind === 'host') {
        fillHost(slot, content);
        slot.texture.needsUpdate = true;
      } else {
        fillDevice(slot, content);
      }
      return slot.texture;
    },
    dispose() {
      for (const slot of slots.values()) release(slot);
      slots.clear();
      deviceTextures?.dispose();
      zeros.dispose();
    },
  };
}
