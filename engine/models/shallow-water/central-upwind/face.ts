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
  /** Of water. */
  readonly water: Float64Array;
  /** Of normal momentum, carried by the water. */
  readonly advection: Float64Array;
  /** Of normal momentum by pressure, less the pressure of the cell before the face, and less that of the cell after it. */
  readonly before: Float64Array;
  readonly after: Float64Array;
  /** Of tangential momentum. */
  readonly tangential: Float64Array;
}

interface PaddedMember {
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
export function limitedSlope(before: number, after: number): number {
  if (before * after <= 0) return 0;
  const steepest = THETA * Math.min(Math.abs(before), Math.abs(after));
  const mean = 0.5 * (before + after);
  return Math.abs(mean) <= steepest ? mean : Math.sign(mean) * steepest;
}

/**
 * @returns a function that computes, for a cell and its near face, the fluxes into `faces` and g·h̄·(η₊ − η₋) into `force`
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
}: PaddedMember): (cell: number, faces: Faces, force: Float64Array) => void {
  const left = { eta: 0, h: 0, ground: 0, normal: 0, tangential: 0 };
  const right = { ...left };

  const isDry = (cell: number): boolean => h[cell] <= dryDepth;

  /** Slope where a side that `blocks` has nothing to say: the other side decides, if there is water. */
  function slope(values: Float64Array, cell: number, blocksBefore: boolean, blocksAfter: boolean): number {
    const before = values[cell] - values[cell - stride];
    const after = values[cell + stride] - values[cell];
    if (blocksBefore) return isDry(cell + stride) ? 0 : after;
    if (blocksAfter) return isDry(cell - stride) ? 0 : before;
    return limitedSlope(before, after);
  }

  /** State at the far (side 1) or near (side −1) face of a cell, within it. */
  function reconstruct(cell: number, side: 1 | -1, at: typeof left): void {
    at.eta = eta[cell];
    at.ground = ground[cell];
    at.h = h[cell];
    at.normal = 0;
    at.tangential = 0;
    if (isDry(cell)) return;
    const half = 0.5 * side;
    const dryBefore = isDry(cell - stride);
    const dryAfter = isDry(cell + stride);
    // Dry ground above the water is no surface to go by, and has no velocity; lower ground is where the water goes.
    const shoreBefore = dryBefore && eta[cell - stride] > eta[cell];
    const shoreAfter = dryAfter && eta[cell + stride] > eta[cell];
    at.eta += half * slope(eta, cell, shoreBefore, shoreAfter);
    at.ground = Math.min(0.5 * (ground[cell] + ground[cell + side * stride]), at.eta);
    at.h = at.eta - at.ground;
    at.normal = normal[cell] + half * slope(normal, cell, dryBefore, dryAfter);
    at.tangential = tangential[cell] + half * slope(tangential, cell, dryBefore, dryAfter);
  }

  return (cell, faces, force) => {
    reconstruct(cell, 1, left);
    reconstruct(cell, -1, right);
    force[cell] = 0.5 * gravity * (left.h + right.h) * (left.eta - right.eta);

    reconstruct(cell - stride, 1, left);
    // Water on either side stands only as far as it is above the higher bed (hydrostatic reconstruction).
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
  };
}
