/**
 * A forecast of the hybrid's own beside those of its filter's members, where these are not recentred on its analysis: the filter
 * goes its way as if it were alone, and gives the hybrid the errors of the day. What is carried is the members as the filter has
 * them, and after them the hybrid's state; what everybody looks at is that state with the members' anomalies about it.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import { anomalies, ensembleMean, recentring } from '../../operators/ensemble/index.ts';
import type { CarriedStates } from '../method.ts';

/** Fields that are the hybrid's, of `members` states or of one. */
export interface OwnForecastParts {
  readonly label: string;
  readonly members: number;
  /** Where the filter works, and what everybody looks at in between. */
  readonly state: RealField;
  /** Where the hybrid works: its one state. */
  readonly centre: RealField;
  /** Work space: a state, and anomalies of the members. */
  readonly filteredMean: RealField;
  readonly anomalies: RealField;
}

export interface OwnForecast {
  readonly carried: CarriedStates;
  /** Queues the filter's members into `state`, and the hybrid's own into `centre`. */
  load(): void;
  /** Queues both back. */
  store(): void;
  dispose(): void;
}

/** @throws LimitError when a field does not fit the backend */
export async function createOwnForecast(
  backend: Backend,
  { label, members, state, centre, filteredMean, anomalies: split }: OwnForecastParts,
): Promise<OwnForecast> {
  const { length } = centre;
  const all = backend.allocate(`${label}.carried`, 'real', (members + 1) * length);
  const own = members * length;
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const splitting = await backend.prepare(anomalies, { members, length });
  const joining = await backend.prepare(recentring, { members, length });

  function load(): void {
    backend.copy(all, state, { length: own });
    backend.copy(all, centre, { sourceOffset: own, length });
  }

  function store(): void {
    backend.copy(state, all, { length: own });
    backend.copy(centre, all, { targetOffset: own, length });
  }

  return {
    carried: {
      state: all,
      members: members + 1,
      show() {
        load();
        splitting.run({ ensemble: state, mean: filteredMean, anomalies: split });
        joining.run({ mean: centre, anomalies: split, ensemble: state });
      },
      take() {
        averaging.run({ ensemble: state, mean: centre });
        store();
      },
    },
    load,
    store,
    dispose() {
      for (const owned of [all, averaging, splitting, joining]) owned.dispose();
    },
  };
}
