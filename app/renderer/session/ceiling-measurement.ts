/**
 * Measures the machine's ceilings beside a run: in parts, on a backend of its own, so that neither the run's numbers nor its
 * kernel times know of it. What fails here is given up; a run never fails for it.
 */
import { CEILING_FIELD_BYTES, createWebGpuBackend, measureCeilingsByParts } from '../../../engine/index.ts';
import type { Backend, Ceilings, GpuDevice } from '../../../engine/index.ts';

export interface CeilingMeasurement {
  /** Measures one part. @returns the ceilings after the last one, `given-up` where they cannot be had */
  next(): Promise<Ceilings | 'unfinished' | 'given-up'>;
  /** Frees what was taken; after the last part that is done by itself. */
  stop(): Promise<void>;
}

/** @param open a backend that nothing else uses, undefined where there is no room for the measurement */
export function createCeilingMeasurement(open: () => Promise<Backend | undefined>): CeilingMeasurement {
  let backend: Backend | undefined;
  let parts: ReturnType<typeof measureCeilingsByParts> | undefined;
  let over = false;
  const stop = async (): Promise<void> => {
    over = true;
    // The measurement ends with an error where the device is gone; there is nothing left to free then.
    await parts?.return(undefined as never).catch(() => undefined);
    backend?.dispose();
    backend = undefined;
  };
  return {
    async next() {
      try {
        if (over) return 'given-up';
        backend ??= await open();
        if (!backend || over) {
          await stop();
          return 'given-up';
        }
        parts ??= measureCeilingsByParts(backend);
        const part = await parts.next();
        if (!part.done) return 'unfinished';
        await stop();
        return part.value;
      } catch {
        await stop();
        return 'given-up';
      }
    },
    stop,
  };
}

/** @returns a second backend on a device that others use, or undefined where the device has no room for the measurement */
export async function openBeside(gpu: GpuDevice): Promise<Backend | undefined> {
  // Asked for by itself: an error of the measurement's own buffers would be taken for one of the run.
  const { device } = gpu;
  device.pushErrorScope('out-of-memory');
  const room = [0, 1].map(() => device.createBuffer({ size: CEILING_FIELD_BYTES, usage: GPUBufferUsage.STORAGE }));
  const refusal = await device.popErrorScope();
  for (const buffer of room) buffer.destroy();
  return refusal ? undefined : createWebGpuBackend(gpu);
}

/** What was measured in this page's life: the reference backend has one machine, a GPU is told by its adapter. */
export interface KnownCeilings {
  of(backend: string, adapter?: string): Ceilings | undefined;
  keep(place: { readonly name: string; readonly adapter: string }, ceilings: Ceilings): void;
}

function keyOf(backend: string, adapter: string): string {
  return backend === 'reference' ? backend : `${backend} ${adapter}`;
}

export function createKnownCeilings(): KnownCeilings {
  const known = new Map<string, Ceilings>();
  return {
    of: (backend, adapter = '') => known.get(keyOf(backend, adapter)),
    keep: ({ name, adapter }, ceilings) => void known.set(keyOf(name, adapter), ceilings),
  };
}
