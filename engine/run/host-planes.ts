/** Planes in memory, read back from the backend: of a run whose states are drawn, or read, elsewhere. */
import type { Backend, RealField } from '../compute/backend.ts';
import type { MethodPlanes } from '../experiment/index.ts';
import { surfacesOf } from './states.ts';
import type { MethodSnapshot, Plane, PlaneStore, StatePlanes } from './states.ts';

/** @param values η, hu, hv, one after the other; a model with one variable has that one for all */
export function hostPlanes(values: Float32Array, cells: number): StatePlanes {
  const plane = (wanted: number): Plane => {
    const index = Math.min(wanted, values.length / cells - 1);
    return { kind: 'host', values: values.subarray(index * cells, (index + 1) * cells) };
  };
  return { eta: plane(0), hu: plane(1), hv: plane(2) };
}

/** Planes in memory as float32; a state's three share one array. */
export function createHostPlanes(backend: Backend): PlaneStore {
  const read = (field: RealField): Promise<Float32Array> => backend.readSingle(field);
  const methodOf = async (planes: MethodPlanes, cells: number): Promise<MethodSnapshot> => ({
    method: planes.method,
    forecast: hostPlanes(await read(planes.forecast), cells),
    analysis: hostPlanes(await read(planes.analysis), cells),
    spread: planes.spread && { kind: 'host', values: await read(planes.spread) },
  });
  return {
    async keep({ truthPlanes, methods }, cells) {
      const kept: MethodSnapshot[] = [];
      for (const planes of methods) kept.push(await methodOf(planes, cells));
      return { truth: hostPlanes(await read(truthPlanes), cells), methods: kept };
    },
    async keepFrames(recorder, cells) {
      const { frames } = recorder;
      if (!frames) return undefined;
      const values = await read(frames.field);
      return surfacesOf(recorder, (subject, index) => {
        const first = (subject * frames.count + index) * cells;
        return { kind: 'host', values: values.subarray(first, first + cells) };
      });
    },
    release: () => undefined,
    close: () => undefined,
  };
}
