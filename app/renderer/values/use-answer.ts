/** Numbers of the run on screen, for any panel. */
import { computed } from '@preact/signals';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { info } from '../state/session-state.ts';
import { createDeviceFetch } from './device-fetch.ts';
import { createReader } from './enquiries.ts';
import { hostReader } from './plane-reader.ts';
import type { Answer, PlaneReader, PlaneRequest } from './plane-reader.ts';

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

/** Reads planes of the run on screen. */
export const planeReader = computed(() => readerFor(info.value?.device));

/**
 * Asks on each rendering, and renders again when an answer arrives.
 *
 * @param requests undefined asks nothing
 * @returns the newest answer; its subject tells whether it is to this question or still to an earlier one
 */
export function useAnswer<Subject>(
  subject: Subject,
  requests: readonly PlaneRequest[] | undefined,
): Answer<Subject> | undefined {
  const reader = planeReader.value;
  const [, setArrivals] = useState(0);
  const enquiry = useMemo(
    () => reader.open<Subject>({ onAnswer: () => setArrivals((before) => before + 1) }),
    [reader],
  );
  useEffect(() => () => enquiry.close(), [enquiry]);
  return requests && enquiry.ask(subject, requests);
}
