/** How components find the laboratory of their page. */
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Laboratory } from './laboratory.ts';

export const LaboratoryContext = createContext<Laboratory | undefined>(undefined);

/** @throws RangeError outside of a `LaboratoryContext` */
export function useLaboratory(): Laboratory {
  const laboratory = useContext(LaboratoryContext);
  if (!laboratory) throw new RangeError('there is no laboratory around this component');
  return laboratory;
}
