/**
 * How components find the state that is handed down: the laboratory of the page, and the run that they show. A component shows
 * one run as long as it lives: of another run it is another one, with a key of its own.
 */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Laboratory } from '../page/laboratory.ts';
import type { RunView } from './run-view.ts';

export const LaboratoryContext = createContext<Laboratory | undefined>(undefined);
export const RunContext = createContext<RunView | undefined>(undefined);

/** @throws RangeError outside of a `LaboratoryContext` */
export function useLaboratory(): Laboratory {
  const laboratory = useContext(LaboratoryContext);
  if (!laboratory) throw new RangeError('there is no laboratory around this component');
  return laboratory;
}

/** @throws RangeError outside of a `RunContext` */
export function useRun(): RunView {
  const run = useContext(RunContext);
  if (!run) throw new RangeError('there is no run around this component');
  return run;
}
