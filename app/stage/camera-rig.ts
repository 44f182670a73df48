/**
 * The cameras of all views: one for all while they are linked, one each when free; their eased movements, and those that a
 * camera makes by itself.
 */
import { between, following, isMoving, orbiting, presetCamera } from '../document/views/cameras.ts';
import type { CameraKind, CameraPlacement, CameraState, MovingKind, ScenePoint } from '../document/views/cameras.ts';

interface Movement {
  readonly from: ReadonlyMap<string, CameraState>;
  readonly to: CameraState;
  readonly begun: number;
  /** Milliseconds. */
  readonly duration: number;
}

/** How cameras moved since the last frame: not at all, on to where they were sent, or by themselves. */
export type CameraMovement = 'none' | 'sent' | 'roaming';

/** Longest time between two frames that a camera covers, s: after a pause it moves on from where it was. */
const LONGEST_STEP = 0.5;
/** A camera that is as near to its wave has arrived, scene units. */
const ARRIVED = 1e-3;

export interface CameraRig {
  of(view: string): CameraState;
  /** Changes the view's camera, and with it all others while they are linked. Ends a movement. */
  change(view: string, change: (state: CameraState) => CameraState): void;
  link(linked: boolean): void;
  /** The elevation from which cameras that fit themselves to their views look, radians. */
  fit(elevation: number): void;
  /**
   * Sets out with all cameras for a place, or puts each where it was once. One that moves by itself turns no way back: it sets out
   * from the side that is looked at.
   *
   * @param milliseconds until they are there; 0 where motion is to be reduced: at once, and none moves by itself
   */
  goTo(to: CameraKind | CameraPlacement, milliseconds: number, now: number): void;
  /** Ends all movement, at its end. */
  rest(): void;
  /** Where the cameras are, or are going to. */
  placement(): CameraPlacement;
  /** Continues with a movement. @param now ms @param wave the highest one; undefined while none is known */
  advance(now: number, wave?: ScenePoint): CameraMovement;
}

export function createCameraRig(): CameraRig {
  let common: CameraState = presetCamera('perspective');
  const free = new Map<string, CameraState>();
  let linked = true;
  let movement: Movement | undefined;
  /** Begins when the movement to its start has ended. */
  let course: MovingKind | undefined;
  /** When a camera that moves by itself was last moved, ms. */
  let movedAt: number | undefined;
  let fitting = common.elevation;
  const resolved = (state: CameraState): CameraState =>
    state.fits === true ? { ...state, elevation: fitting } : state;
  /** Where a hand has put it, it stays. */
  const moved = (state: CameraState, change: (state: CameraState) => CameraState): CameraState => ({
    ...change(resolved(state)),
    fits: false,
  });
  const end = (): void => {
    movement = undefined;
    course = undefined;
    movedAt = undefined;
  };
  const arrive = (to: CameraState): void => {
    common = to;
    free.clear();
  };
  const ease = ({ from, to, begun, duration }: Movement, now: number): void => {
    const share = Math.min(1, Math.max(0, (now - begun) / duration));
    for (const [view, start] of from) {
      const state = share < 1 ? between(start, resolved(to), share) : to;
      if (view === '') common = state;
      else free.set(view, state);
    }
    if (share < 1) return;
    free.clear();
    movement = undefined;
  };
  const roam = (kind: MovingKind, now: number, wave: ScenePoint | undefined): CameraMovement => {
    const isThere = !wave || Math.hypot(wave.x - common.targetX, wave.z - common.targetZ) < ARRIVED;
    if (kind === 'wave' && isThere) {
      movedAt = undefined;
      return 'none';
    }
    const seconds = Math.min(LONGEST_STEP, Math.max(0, (now - (movedAt ?? now)) / 1000));
    movedAt = now;
    common = kind === 'wave' && wave ? following(common, wave, seconds) : orbiting(common, seconds);
    return 'roaming';
  };
  return {
    of: (view) => resolved(linked ? common : (free.get(view) ?? common)),
    change(view, change) {
      end();
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
    goTo(to, milliseconds, now) {
      end();
      if (typeof to !== 'string' && to.free.size > 0) {
        arrive(to.common);
        for (const [view, state] of to.free) free.set(view, state);
        linked = false;
        return;
      }
      const isRoaming = typeof to === 'string' && isMoving(to);
      const preset = typeof to === 'string' ? presetCamera(to) : to.common;
      const place = isRoaming ? { ...preset, azimuth: common.azimuth } : preset;
      if (milliseconds > 0) {
        movement = { from: new Map([['', resolved(common)], ...free]), to: place, begun: now, duration: milliseconds };
        if (isRoaming) course = to;
      } else arrive(place);
    },
    rest() {
      const to = movement?.to;
      end();
      if (to) arrive(to);
    },
    placement: () => ({ common: movement?.to ?? common, free: new Map(movement ? [] : free) }),
    advance(now, wave) {
      if (movement) {
        ease(movement, now);
        if (movement) return 'sent';
      }
      return course ? roam(course, now, wave) : 'none';
    },
  };
}
