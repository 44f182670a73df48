/** The cameras of all views: one for all while they are linked, one each when free; and their eased movements. */
import { EASE_MILLISECONDS, between, presetCamera } from '../document/views/cameras.ts';
import type { CameraPlacement, CameraPreset, CameraState } from '../document/views/cameras.ts';

interface Movement {
  readonly from: ReadonlyMap<string, CameraState>;
  readonly to: CameraState;
  readonly begun: number;
}

export interface CameraRig {
  of(view: string): CameraState;
  /** Changes the view's camera, and with it all others while they are linked. Ends a movement. */
  change(view: string, change: (state: CameraState) => CameraState): void;
  link(linked: boolean): void;
  /** The elevation from which cameras that fit themselves to their views look, radians. */
  fit(elevation: number): void;
  /** Sets out for a preset with all cameras. @param eased false where motion is to be reduced */
  goTo(preset: CameraPreset, eased: boolean, now: number): void;
  /** Where the cameras are, or are going to. */
  placement(): CameraPlacement;
  /** Puts the cameras there at once, linked if none is free. */
  place(placement: CameraPlacement): void;
  /** Continues with a movement. @returns whether there is more of it */
  advance(now: number): boolean;
}

export function createCameraRig(): CameraRig {
  let common: CameraState = presetCamera('perspective');
  const free = new Map<string, CameraState>();
  let linked = true;
  let movement: Movement | undefined;
  let fitting = common.elevation;
  const resolved = (state: CameraState): CameraState =>
    state.fits === true ? { ...state, elevation: fitting } : state;
  /** Where a hand has put it, it stays. */
  const moved = (state: CameraState, change: (state: CameraState) => CameraState): CameraState => ({
    ...change(resolved(state)),
    fits: false,
  });
  return {
    of: (view) => resolved(linked ? common : (free.get(view) ?? common)),
    change(view, change) {
      movement = undefined;
      if (linked) common = moved(common, change);
      else free.set(view, moved(free.get(view) ?? common, change));
    },
    fit(elevation) {
      fitting = elevation;
    },
    link(next) {
      if (next !== linked) free.clear();
      linked = next;
    },
    goTo(preset, eased, now) {
      const to = presetCamera(preset);
      if (eased) {
        movement = { from: new Map([['', resolved(common)], ...free]), to, begun: now };
        return;
      }
      movement = undefined;
      common = to;
      free.clear();
    },
    placement: () => ({ common: movement?.to ?? common, free: new Map(movement ? [] : free) }),
    place(placement) {
      movement = undefined;
      ({ common } = placement);
      free.clear();
      for (const [view, state] of placement.free) free.set(view, state);
      if (free.size > 0) linked = false;
    },
    advance(now) {
      if (!movement) return false;
      const share = Math.min(1, Math.max(0, (now - movement.begun) / EASE_MILLISECONDS));
      for (const [view, from] of movement.from) {
        const state = share < 1 ? between(from, resolved(movement.to), share) : movement.to;
        if (view === '') common = state;
        else free.set(view, state);
      }
      if (share < 1) return true;
      free.clear();
      movement = undefined;
      return false;
    },
  };
}
