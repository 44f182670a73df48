/** The machine's ceilings as this page measures them beside a run on its GPU, and keeps them for its life. */
import { CEILING_FIELD_BYTES, createWebGpuBackend, hasRoomFor } from '../../../engine/index.ts';
import type { Backend, Ceilings, GpuDevice } from '../../../engine/index.ts';

/** @returns a second backend on a device that others use, or undefined where the device has no room for the measurement */
export async function openBeside(gpu: GpuDevice): Promise<Backend | undefined> {
  const hasRoom = await hasRoomFor(gpu.device, [CEILING_FIELD_BYTES, CEILING_FIELD_BYTES]);
  return hasRoom ? createWebGpuBackend(gpu) : undefined;
}

/** What was measured in this page's life: a backend of the processor has one machine, a GPU is told by its adapter. */
export interface KnownCeilings {
  of(backend: string, adapter?: string): Ceilings | undefined;
  keep(place: { readonly name: string; readonly adapter: string }, ceilings: Ceilings): void;
}

function keyOf(backend: string, adapter: string): string {
  return backend === 'webgpu' ? `${backend} ${adapter}` : backend;
}

export function createKnownCeilings(): KnownCeilings {
  const known = new Map<string, Ceilings>();
  return {
    of: (backend, adapter = '') => known.get(keyOf(backend, adapter)),
    keep: ({ name, adapter }, ceilings) => void known.set(keyOf(name, adapter), ceilings),
  };
}
