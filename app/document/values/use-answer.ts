/** Numbers of the run on screen, for any panel. */
import { useEffect, useMemo, useState } from 'preact/hooks';
import { useRun } from '../context.ts';
import type { Answer, PlaneRequest } from './plane-reader.ts';

/**
 * Asks on each rendering, and renders again when an answer arrives.
 *
 * @param requests undefined asks nothing
 * @param interval least time between questions that go out, ms
 * @returns the newest answer; its subject shows whether it is to this question or still to an earlier one
 */
export function useAnswer<Subject>(
  subject: Subject,
  requests: readonly PlaneRequest[] | undefined,
  interval = 0,
): Answer<Subject> | undefined {
  const reader = useRun().planeReader.value;
  const [, setArrivals] = useState(0);
  const enquiry = useMemo(
    () => reader.open<Subject>({ onAnswer: () => setArrivals((before) => before + 1), interval }),
    [reader, interval],
  );
  useEffect(() => () => enquiry.close(), [enquiry]);
  return requests && enquiry.ask(subject, requests);
}
