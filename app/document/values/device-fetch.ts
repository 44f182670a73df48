/** Numbers of planes wherever they are: those in memory are there, those on the GPU are read back as far as they are asked for. */
import { createDevicePlaneReader } from '../../../engine/index.ts';
import type { PlaneFetch } from './enquiries.ts';

export function createDeviceFetch(device: GPUDevice): PlaneFetch {
  const read = createDevicePlaneReader(device);
  return async (requests, signal) => {
    const answers = await read(
      requests.flatMap(({ plane, cells }) => (plane.kind === 'device' ? [{ plane, cells }] : [])),
      signal,
    );
    const inOrder = answers.values();
    return requests.map(({ plane }) => (plane.kind === 'host' ? plane.values : (inOrder.next().value ?? [])));
  };
}
