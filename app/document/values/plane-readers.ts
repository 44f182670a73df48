/** The readers of planes, one for each device. */
import { createDeviceFetch } from './device-fetch.ts';
import { createReader } from './enquiries.ts';
import { hostReader, type PlaneReader } from './plane-reader.ts';

/** One for each device: its staging buffers go with it. */
const onDevice = new WeakMap<GPUDevice, PlaneReader>();

/** @returns the reader of planes on that device; without one, of planes in memory */
export function readerFor(device: GPUDevice | undefined): PlaneReader {
  if (!device) return hostReader;
  let reader = onDevice.get(device);
  if (!reader) {
    reader = createReader(createDeviceFetch(device));
    onDevice.set(device, reader);
  }
  return reader;
}
