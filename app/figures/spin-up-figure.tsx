/** In place of the table of methods while every cycle so far belongs to the spin-up, which no mean counts. */
import { Figure } from './figure.tsx';

/** @returns whether the means have no cycle to count yet, but will have */
export function isSpinningUp(spinup: number, lastCycle: number, plannedCycles: number): boolean {
  return lastCycle < spinup && spinup < plannedCycles;
}

export function SpinUpFigure({ spinup, lastCycle }: { readonly spinup: number; readonly lastCycle: number }) {
  const left = spinup - lastCycle - 1;
  return (
    <Figure
      id="methods"
      title="Methods"
      picture={false}
      help={`Means and skill omit the spin-up: the cycles before ${spinup}, in which methods still depend on their initial states.`}
      table={() => ({ columns: [], rows: [] })}
      empty={`Spin-up: means and skill begin at cycle ${spinup}, ${left === 0 ? 'the next one' : `${left + 1} cycles from now`}.`}
    />
  );
}
