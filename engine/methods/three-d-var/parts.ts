/** What an analysis of 3D-Var is made of, and what answers about it are made of in turn. */
import type { RealField } from '../../compute/backend.ts';
import type { Minimiser } from '../../operators/conjugate-gradient/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { Departures } from '../shared/departures.ts';
import type { WetIncrement } from '../shared/wet-increment.ts';
import type { ObservedControl } from './observed-control.ts';

/** They stay their owner's. */
export interface ThreeDVarParts {
  readonly transform: ControlTransform;
  readonly wet: WetIncrement;
  readonly seen: ObservedControl;
  readonly minimiser: Minimiser;
  /** The analysis. */
  readonly state: RealField;
  readonly departures: Departures;
  readonly minimisation: { readonly tolerance: number };
  /** Work space, free between two analyses. */
  readonly fields: {
    readonly increment: RealField;
    readonly observed: RealField;
    readonly gradient: RealField;
    readonly solution: RealField;
  };
}
