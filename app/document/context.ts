/** How components find the run that they show. A component shows one run as long as it lives: another run has another one, by its key. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { RunView } from './run-view.ts';

export const RunContext = createContext<RunView | undefined>(undefined);

/** @throws RangeError outside of a `RunContext` */
export function useRun(): RunView {
  const run = useContext(RunContext);
  if (!run) throw new RangeError('there is no run around this component');
  return run;
}
