/** What the operator of the Lorenz-96 model is prepared with. */
import type { StepParameters } from '../stepping.ts';

export interface Lorenz96Parameters extends StepParameters {
  /** Variables of a member, at least 4. */
  readonly n: number;
  readonly forcing: number;
  readonly timeStep: number;
}
