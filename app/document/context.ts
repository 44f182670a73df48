/**
 * How components find the run that they show, and numbers of it. A component shows one run as long as it lives: another run has
 * another one, by its key.
 */
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { RunView } from './run-view.ts';
import type { Answer, PlaneRequest } from './values/plane-reader.ts';

export const RunContext = createContext<RunView | undefined>(undefined);

/** @throws RangeError outside of a `RunContext` */
export function useRun(): RunView {
  const run = useContext(RunContext);
  if (!run) throw new RangeError('there is no run around this component');
  return run;
}

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
