/** The stems in the views: whose observations they are of, how prominent each is, and what their heads show. */
import type { BasinInfo, SnapshotObservations } from '../../engine/index.ts';
import type { ShownSnapshot } from '../document/lines/shown.ts';
import type { StageModel } from './stage-model.ts';
import { innovationScale, stemData, type StemData } from './stems.ts';
import type { ViewPlace } from './view-grid.ts';
import type { ViewScene } from './view-scene.ts';

/** A view that has stems. */
interface StemView {
  readonly place: ViewPlace;
  readonly scene: Pick<ViewScene, 'setStems'>;
}

/** What of the model the stems depend on, beside the observations. */
type StemModel = Pick<StageModel, 'instead' | 'heads'>;

export interface ShownStems {
  /** Whose observations are in the views. */
  readonly of: ShownSnapshot | undefined;
  /** The innovation at which a head has its full colour. */
  readonly innovationAtFull: number;
  /** Whether they look as a model wants. */
  suit(model: StemModel): boolean;
  set(views: readonly StemView[], snapshot: ShownSnapshot, model: StemModel): void;
  /** @param key of a view @returns the stems in it, and the observations that they are of */
  in(key: string): { readonly data: StemData; readonly of: SnapshotObservations } | undefined;
}

export function createShownStems(basin: BasinInfo): ShownStems {
  const byView = new Map<string, { readonly data: StemData; readonly of: SnapshotObservations }>();
  let of: ShownSnapshot | undefined;
  let weights: ReadonlyMap<string, Float64Array> | undefined;
  let heads: StageModel['heads'];
  let innovationAtFull = 0;
  return {
    get of() {
      return of;
    },
    get innovationAtFull() {
      return innovationAtFull;
    },
    suit: (model) => weights === model.instead?.stems && heads === model.heads,
    set(views, snapshot, model) {
      if (of !== snapshot) innovationAtFull = innovationScale(snapshot.observations);
      of = snapshot;
      weights = model.instead?.stems;
      ({ heads } = model);
      const shownHeads = heads?.cycle === snapshot.cycle ? heads : undefined;
      byView.clear();
      for (const { place, scene } of views) {
        const { subject, key } = place;
        const { observations } = snapshot.methods.find(({ method }) => method === subject) ?? snapshot;
        const own = observations ?? snapshot.observations;
        const [numbers, full] = shownHeads
          ? [shownHeads.values.get(subject), shownHeads.full]
          : [own.innovations[subject], innovationAtFull];
        const data = stemData(own, basin, numbers, full, weights?.get(subject));
        scene.setStems(data);
        byView.set(key, { data, of: own });
      }
    },
    in: (key) => byView.get(key),
  };
}
