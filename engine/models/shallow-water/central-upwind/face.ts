/**
 * Along one axis, for the face between a cell and the one before it: reconstruction on both sides, the central-upwind flux,
 * and the force of the surface's slope within the cell.
 *
 * The pressure is never formed. With P = g h²/2 on the bed as it is at the face, a cell feels F − P of its own side, and that
 * is proportional to the difference of elevation across the face. Over any bed a level surface at rest has no difference
 * anywhere, so it stays exactly, in every precision.
 */

/** Fluxes through the near face (towards lower indices) of every cell, on the padded grid. */
export interface Faces {
  /** Flux of water. */
  readonly water: Float64Array;
  /** Flux of normal momentum, carried by the water. */
  readonly advection: Float64Array;
  /** Flux of normal momentum by pressure, less the pressure of the cell before the face, and less that of the cell after it. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Flux of tangential momentum. */
  readonly tangential: Float64Array;
}

/** A member on its grid with ghost cells, as one axis has it. */
export interface PaddedMember {
  readonly gravity: number;
  readonly dryDepth: number;
  readonly eta: Float64Array;
  readonly h: Float64Array;
  /** Velocities normal and tangential to the faces. */
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
  readonly ground: Float64Array;
  /** Distance of neighbours along the axis, in elements. */
  readonly stride: number;
}

/** θ of the generalised minmod limiter: 1 is minmod, 2 the monotonised central limiter. */
export const THETA = 1.5;

/** Generalised minmod of two one-sided differences. */
function limitedSlope(before: number, after: number): number {
  if (before * after <= 0) return 0;
  const mean = 0.5 * (before + after);
  return Math.sign(mean) * Math.min(Math.abs(mean), THETA * Math.min(Math.abs(before), Math.abs(after)));
}

/** A cell's state at one of its faces. */
interface Side {
  eta: number;
  ground: number;
  normal: number;
  tangential: number;
}

function side(): Side {
  return { eta: 0, ground: 0, normal: 0, tangential: 0 };
}

/**
 * @returns a function that computes, for a line of `count` cells along the axis from the cell `first` on and their near faces,
 *   the fluxes into `faces` and g·h̄·(η₊ − η₋) into `force`
 */
export function createFaceFlux({
  gravity,
  dryDepth,
  eta,
  h,
  normal,
  tangential,
  ground,
  stride,
}: PaddedMember): (first: number, count: number, faces: Faces, force: Float64Array) => void {
  /** Sides of the cell before the face, and of the cell after it; near is towards lower indices. */
  let before = { near: side(), far: side() };
  let after = { near: side(), far: side() };

  function isDry(cell: number): boolean {
    return h[cell] <= dryDepth;
  }

  /** Slope where a side that `blocks` has nothing to say: the other side decides, if there is water. */
  function slope(values: Float64Array, cell: number, blocksBefore: boolean, blocksAfter: boolean): number {
    const down = values[cell] - values[cell - stride];
    const up = values[cell + stride] - values[cell];
    if (blocksBefore) return isDry(cell + stride) ? 0 : up;
    if (blocksAfter) return isDry(cell - stride) ? 0 : down;
    return limitedSlope(down, up);
  }

  /** Both sides of a cell. */
  function reconstruct(cell: number, { near, far }: { readonly near: Side; readonly far: Side }): void {
    near.eta = far.eta = eta[cell];
    near.ground = far.ground = ground[cell];
    near.normal = far.normal = 0;
    near.tangential = far.tangential = 0;
    if (isDry(cell)) return;
    const dryBefore = isDry(cell - stride);
    const dryAfter = isDry(cell + stride);
    // Dry ground above the water is no surface to go by, and has no velocity; lower ground is where the water goes.
    const shoreBefore = dryBefore && eta[cell - stride] > eta[cell];
    const shoreAfter = dryAfter && eta[cell + stride] > eta[cell];
    const rise = 0.5 * slope(eta, cell, shoreBefore, shoreAfter);
    const gain = 0.5 * slope(normal, cell, dryBefore, dryAfter);
    const shear = 0.5 * slope(tangential, cell, dryBefore, dryAfter);
    near.eta -= rise;
    far.eta += rise;
    near.ground = Math.min(0.5 * (ground[cell] + ground[cell - stride]), near.eta);
    far.ground = Math.min(0.5 * (ground[cell] + ground[cell + stride]), far.eta);
    near.normal = normal[cell] - gain;
    far.normal = normal[cell] + gain;
    near.tangential = tangential[cell] - shear;
    far.tangential = tangential[cell] + shear;
  }

  return (first, count, faces, force) => {
    reconstruct(first - stride, before);
    for (let cell = first, remaining = count; remaining > 0; cell += stride, remaining--) {
      reconstruct(cell, after);
      flux(cell, faces, force);
      [before, after] = [after, before];
    }
  };

  /** From `before` and `after`, the sides of the cell before the face and of the cell after it. */
  function flux(cell: number, faces: Faces, force: Float64Array): void {
    const { near, far } = after;
    force[cell] = 0.5 * gravity * (near.eta - near.ground + (far.eta - far.ground)) * (far.eta - near.eta);

    const left = before.far;
    const right = after.near;
    // Water on either side counts only as far as it is above the higher bed (hydrostatic reconstruction).
    const bed = Math.max(left.ground, right.ground);
    const etaLeft = Math.max(left.eta, bed);
    const etaRight = Math.max(right.eta, bed);
    const hLeft = etaLeft - bed;
    const hRight = etaRight - bed;
    const cLeft = Math.sqrt(gravity * hLeft);
    const cRight = Math.sqrt(gravity * hRight);
    const fastest = Math.max(0, hLeft > 0 ? left.normal + cLeft : 0, hRight > 0 ? right.normal + cRight : 0);
    const slowest = Math.min(0, hLeft > 0 ? left.normal - cLeft : 0, hRight > 0 ? right.normal - cRight : 0);
    const inverse = fastest > slowest ? 1 / (fastest - slowest) : 0;
    const weightLeft = fastest * inverse;
    const weightRight = -slowest * inverse;
    const diffusion = fastest * weightRight;
    const rise = etaRight - etaLeft;
    const pressureRise = 0.5 * gravity * (hLeft + hRight) * rise;
    const qLeft = hLeft * left.normal;
    const qRight = hRight * right.normal;
    const water = weightLeft * qLeft + weightRight * qRight - diffusion * rise;
    faces.water[cell] = water;
    faces.advection[cell] =
      weightLeft * qLeft * left.normal + weightRight * qRight * right.normal - diffusion * (qRight - qLeft);
    faces.before[cell] = weightRight * pressureRise;
    faces.after[cell] = -weightLeft * pressureRise;
    faces.tangential[cell] = water * (water > 0 ? left.tangential : right.tangential);
  }
}
