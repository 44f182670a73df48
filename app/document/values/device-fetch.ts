/**
 * Numbers of planes wherever they are: those in memory are there, those on the GPU are read back as far as they are asked for.
 * Stage and charts ask for the same planes of a cycle: whole planes are read once, and the latest are kept.
 */
import { createDevicePlaneReader } from '../../../engine/index.ts';
import type { DevicePlane, DevicePlaneReader, DevicePlaneRequest } from '../../../engine/index.ts';
import type { PlaneFetch } from './enquiries.ts';
import { numbersInMemory, type PlaneNumbers, type PlaneRequest } from './plane-reader.ts';

/** Numbers of whole planes that are kept at most, bytes. The latest stay even above it. */
const KEPT_BYTES = 32 * 2 ** 20;
const ELEMENT_BYTES = 4;

/** Reading a whole plane continues when the first asker is gone: others may wait for it too. */
const FOR_ALL = new AbortController().signal;

/** Whether all numbers of a plane are asked for. */
function isWhole({ cells, means }: Pick<PlaneRequest, 'cells' | 'means'>): boolean {
  return cells === undefined && means === undefined;
}

/** @returns what is asked of a plane on the GPU. @throws RangeError for the difference from a plane elsewhere */
function onDevice({ plane, cells, means }: PlaneRequest): DevicePlaneRequest | undefined {
  if (plane.kind !== 'device') return undefined;
  if (!means?.minus) return { plane, cells, means: means && { blocks: means.blocks } };
  const { blocks, minus } = means;
  if (minus.kind !== 'device') throw new RangeError('a plane in memory is subtracted from one on a GPU');
  return { plane, means: { blocks, minus } };
}

/** @param read reads planes back */
export function createDeviceFetch(
  device: GPUDevice,
  read: DevicePlaneReader = createDevicePlaneReader(device),
): PlaneFetch {
  /** The latest last. */
  const wholes = new Map<DevicePlane, Promise<PlaneNumbers>>();
  const readWhole = (plane: DevicePlane): Promise<PlaneNumbers> => {
    const reading = wholes.get(plane) ?? read([{ plane }], FOR_ALL).then(([numbers]) => numbers);
    wholes.delete(plane);
    wholes.set(plane, reading);
    // The asker receives the error.
    reading.catch(() => wholes.delete(plane));
    return reading;
  };
  const forget = (kept: ReadonlySet<DevicePlane>): void => {
    let bytes = [...wholes.keys()].reduce((sum, { cells }) => sum + cells * ELEMENT_BYTES, 0);
    for (const plane of wholes.keys()) {
      if (bytes <= KEPT_BYTES) return;
      if (kept.has(plane)) continue;
      wholes.delete(plane);
      bytes -= plane.cells * ELEMENT_BYTES;
    }
  };
  return async (requests, signal) => {
    const asked = requests.flatMap((request) => onDevice(request) ?? []);
    const whole = asked.filter(isWhole).map(({ plane }) => plane);
    const inWhole = whole.map(readWhole);
    forget(new Set(whole));
    const inPart = read(
      asked.filter((request) => !isWhole(request)),
      signal,
    );
    const [ofWhole, ofPart] = await Promise.all([Promise.all(inWhole), inPart]);
    signal.throwIfAborted();
    const [nextWhole, nextPart] = [ofWhole.values(), ofPart.values()];
    return requests.map((request) => {
      if (request.plane.kind === 'host') return numbersInMemory(request) ?? [];
      return (isWhole(request) ? nextWhole : nextPart).next().value ?? [];
    });
  };
}
