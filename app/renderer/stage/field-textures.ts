/**
 * The planes of the snapshot on screen as r32float textures, one for each plane that a view needs, filled when the snapshot
 * changes: by one upload from memory, or by a copy on the GPU. A texture keeps its identity, so that nothing is bound anew.
 */
import { DataTexture, ExternalTexture, FloatType, NearestFilter, NoColorSpace, RedFormat } from 'three/webgpu';
import type { Texture } from 'three/webgpu';
import type { Plane } from '../session/session.ts';
import { createPlaneCopier } from './plane-copy.ts';
import type { PlaneCopier } from './plane-copy.ts';

export interface FieldTextures {
  /** @returns the texture of that name holding this plane; undefined gives a plane of zeros */
  get(name: string, plane: Plane | undefined): Texture;
  dispose(): void;
}

interface HostSlot {
  readonly kind: 'host';
  readonly texture: DataTexture;
  plane: Plane;
}

interface DeviceSlot {
  readonly kind: 'device';
  readonly texture: ExternalTexture;
  readonly memory: GPUTexture;
  plane: Plane;
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
  let copier: PlaneCopier | undefined;

  const release = (slot: HostSlot | DeviceSlot): void => {
    slot.texture.dispose();
    if (slot.kind === 'device') slot.memory.destroy();
  };
  const hostSlot = (plane: Plane & { kind: 'host' }): HostSlot => ({
    kind: 'host',
    texture: planeTexture(plane.values, nx, ny),
    plane,
  });
  const deviceSlot = (name: string, plane: Plane & { kind: 'device' }, copying: PlaneCopier): DeviceSlot => {
    const memory = copying.createTexture(name);
    copying.copy(plane.buffer, plane.byteOffset, memory);
    const texture = asPlane(new ExternalTexture(memory));
    Object.assign(texture, { image: { width: nx, height: ny } });
    return { kind: 'device', texture, memory, plane };
  };
  const create = (name: string, plane: Plane): HostSlot | DeviceSlot => {
    if (plane.kind === 'host') return hostSlot(plane);
    if (!device) throw new RangeError('a plane lies on a GPU device that the stage does not draw with');
    copier ??= createPlaneCopier(device, nx, ny);
    return deviceSlot(name, plane, copier);
  };
  const refill = (slot: HostSlot | DeviceSlot, plane: Plane): void => {
    if (slot.kind === 'host' && plane.kind === 'host') {
      slot.texture.image.data = plane.values;
      slot.texture.needsUpdate = true;
    } else if (slot.kind === 'device' && plane.kind === 'device') {
      copier?.copy(plane.buffer, plane.byteOffset, slot.memory);
    }
    slot.plane = plane;
  };

  return {
    get(name, plane) {
      if (!plane) return zeros;
      let slot = slots.get(name);
      if (slot && slot.kind !== plane.kind) {
        release(slot);
        slot = undefined;
      }
      if (!slot) {
        slot = create(name, plane);
        slots.set(name, slot);
      } else if (slot.plane !== plane) {
        refill(slot, plane);
      }
      return slot.texture;
    },
    dispose() {
      for (const slot of slots.values()) release(slot);
      slots.clear();
      zeros.dispose();
    },
  };
}
