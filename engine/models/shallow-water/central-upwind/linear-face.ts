/**
 * The fluxes of face.ts along one axis, linearised: reconstruction on both sides of the faces, the central-upwind flux and the force
 * of the surface's slope within a cell, each with its derivative and the adjoint of that. The limiter's branch, what is dry, which
 * wave is fastest and where water comes from are those of the state. The fastest and the slowest wave change with it:
 *
 *   w₋ = a/(a − b), w₊ = −b/(a − b), D = −ab/(a − b):   δw₋ = −δw₊ = (a δb − b δa)/(a − b)²,   δD = (b² δa − a² δb)/(a − b)².
 */
import { THETA, type PaddedMember } from './face.ts';

interface LinearMember extends PaddedMember {
  /** Share of its outflow that a cell has the water for. */
  readonly share: Float64Array;
  /** Cells of the longest line along the axis. */
  readonly longest: number;
}

type Values<Name extends string> = Readonly<Record<Name, Float64Array>>;

/** Elevation and velocities of cells: what changes them, or a sensitivity to them. */
type CellValues = Values<'eta' | 'normal' | 'tangential'>;

/** Sensitivities to the water and to the momenta of cells after a step. */
type CellSensitivities = Values<'water' | 'normal' | 'tangential'>;

/**
 * Changes of what goes through the near face (towards lower indices) of every cell, as in face.ts, the first three times the share of
 * the water that can go; and of the slope's force in the cell.
 */
export type FaceChanges = Values<'water' | 'advection' | 'tangential' | 'before' | 'after' | 'force'>;

export interface LinearFaces {
  /** Changes of the near faces of a line of `count` cells from `first` on, and of their forces, for changes of cells. */
  tangent(first: number, count: number, cells: CellValues, faces: FaceChanges): void;
  /**
   * Adds to the sensitivities to `cells` what those to the cells after the step say through these faces and forces.
   *
   * @param ratio of the step and the width of a cell, s/m
   */
  adjoint(first: number, count: number, after: CellSensitivities, ratio: number, cells: CellValues): void;
}

/** Values at both sides of the cells of a line, near is towards lower indices: of the state, of what changes it, or of a sensitivity to it. */
type Sides = Values<'near' | 'far'>;

/** What is reconstructed in a cell: its sides, and the weights of its differences from the cell before and to the one after in its slope. */
interface Reconstruction extends Values<'near' | 'far' | 'before' | 'after'> {
  /** Changes of both sides, or sensitivities to them. */
  readonly changed: Sides;
}

/** A face about which fluxes are linearised. */
function emptyFace() {
  return {
    /** Depths above the higher bed, their difference, velocities and discharges. */
    hLeft: 0,
    hRight: 0,
    rise: 0,
    uLeft: 0,
    uRight: 0,
    qLeft: 0,
    qRight: 0,
    /** Fastest and slowest wave, a and b, and whose they are: −1 of the left side, 1 of the right, 0 of none. */
    fastest: 0,
    slowest: 0,
    fastestOf: 0,
    slowestOf: 0,
    /** Whether the higher bed is the left side's; whether each side has water above it. */
    bedIsLeft: false,
    leftIsAbove: false,
    rightIsAbove: false,
    /** 1/(a − b), w₋, w₊ and D. */
    inverse: 0,
    weightLeft: 0,
    weightRight: 0,
    diffusion: 0,
    pressureRise: 0,
    /** Flux of water, whether it comes from the left side, and the share of that cell's outflow that can go. */
    water: 0,
    isForward: false,
    share: 0,
  };
}

export function createLinearFaces(member: LinearMember): LinearFaces {
  const { gravity, dryDepth, h, ground, stride, longest } = member;
  /** One value for each cell of a line: place 0 is the one before the first face. */
  const array = (): Float64Array => new Float64Array(longest + 2);
  const sides = (): Sides => ({ near: array(), far: array() });
  const reconstruction = (): Reconstruction => ({ ...sides(), before: array(), after: array(), changed: sides() });
  const [eta, normal, tangential] = [reconstruction(), reconstruction(), reconstruction()];
  const bed = sides();
  const bedChanged = sides();
  /** 1 where the ground at a side is the water's own surface. */
  const grounded = sides();
  const face = emptyFace();

  function isDry(cell: number): boolean {
    return h[cell] <= dryDepth;
  }

  /** Both sides of a cell, and its slope as weights of its differences: face.ts has the rule. */
  function reconstructValue(
    { near, far, before, after }: Reconstruction,
    values: Float64Array,
    k: number,
    cell: number,
    blocksBefore: boolean,
    blocksAfter: boolean,
  ): void {
    const here = values[cell];
    const down = here - values[cell - stride];
    const up = values[cell + stride] - here;
    const sizeDown = Math.abs(down);
    const sizeUp = Math.abs(up);
    let ofDown = 0;
    let ofUp = 0;
    if (blocksBefore) ofUp = isDry(cell + stride) ? 0 : 1;
    else if (blocksAfter) ofDown = isDry(cell - stride) ? 0 : 1;
    else if (down * up > 0) {
      if (0.5 * Math.abs(down + up) <= THETA * Math.min(sizeDown, sizeUp)) ofDown = ofUp = 0.5;
      else if (sizeDown <= sizeUp) ofDown = THETA;
      else ofUp = THETA;
    }
    before[k] = ofDown;
    after[k] = ofUp;
    const rise = 0.5 * (ofDown * down + ofUp * up);
    near[k] = here - rise;
    far[k] = here + rise;
  }

  /** Changes of the sides of a cell, of changes of cells. */
  function change({ before, after, changed }: Reconstruction, of: Float64Array, k: number, cell: number): void {
    const here = of[cell];
    const rise = 0.5 * (before[k] * (here - of[cell - stride]) + after[k] * (of[cell + stride] - here));
    changed.near[k] = here - rise;
    changed.far[k] = here + rise;
  }

  /** The adjoint of that. */
  function changeAdjoint({ before, after, changed }: Reconstruction, k: number, cell: number, to: Float64Array): void {
    const near = changed.near[k];
    const far = changed.far[k];
    const slope = 0.5 * (far - near);
    const toBefore = before[k] * slope;
    const toAfter = after[k] * slope;
    to[cell] += near + far + toBefore - toAfter;
    to[cell - stride] -= toBefore;
    to[cell + stride] += toAfter;
  }

  function reconstruct(k: number, cell: number): void {
    if (isDry(cell)) {
      for (const { before, after, near, far } of [eta, normal, tangential]) {
        before[k] = after[k] = near[k] = far[k] = 0;
      }
      eta.near[k] = eta.far[k] = member.eta[cell];
      bed.near[k] = bed.far[k] = ground[cell];
      grounded.near[k] = grounded.far[k] = 0;
      return;
    }
    const before = cell - stride;
    const after = cell + stride;
    const dryBefore = isDry(before);
    const dryAfter = isDry(after);
    const here = member.eta[cell];
    const shoreBefore = dryBefore && member.eta[before] > here;
    const shoreAfter = dryAfter && member.eta[after] > here;
    reconstructValue(eta, member.eta, k, cell, shoreBefore, shoreAfter);
    reconstructValue(normal, member.normal, k, cell, dryBefore, dryAfter);
    reconstructValue(tangential, member.tangential, k, cell, dryBefore, dryAfter);
    const bedNear = 0.5 * (ground[cell] + ground[before]);
    const bedFar = 0.5 * (ground[cell] + ground[after]);
    grounded.near[k] = bedNear > eta.near[k] ? 1 : 0;
    grounded.far[k] = bedFar > eta.far[k] ? 1 : 0;
    bed.near[k] = Math.min(bedNear, eta.near[k]);
    bed.far[k] = Math.min(bedFar, eta.far[k]);
  }

  /** Sets `face` to the near face of the cell at place k. */
  function take(k: number, cell: number): void {
    const bedLeft = bed.far[k - 1];
    const bedRight = bed.near[k];
    const etaLeft = eta.far[k - 1];
    const etaRight = eta.near[k];
    face.bedIsLeft = bedLeft >= bedRight;
    const higher = face.bedIsLeft ? bedLeft : bedRight;
    face.leftIsAbove = etaLeft > higher;
    face.rightIsAbove = etaRight > higher;
    face.hLeft = face.leftIsAbove ? etaLeft - higher : 0;
    face.hRight = face.rightIsAbove ? etaRight - higher : 0;
    face.rise = face.hRight - face.hLeft;
    face.uLeft = normal.far[k - 1];
    face.uRight = normal.near[k];
    face.qLeft = face.hLeft * face.uLeft;
    face.qRight = face.hRight * face.uRight;
    face.fastest = face.slowest = 0;
    face.fastestOf = face.slowestOf = 0;
    takeWaves(-1, face.hLeft, face.uLeft);
    takeWaves(1, face.hRight, face.uRight);
    face.inverse = face.fastest > face.slowest ? 1 / (face.fastest - face.slowest) : 0;
    face.weightLeft = face.fastest * face.inverse;
    face.weightRight = -face.slowest * face.inverse;
    face.diffusion = face.fastest * face.weightRight;
    face.pressureRise = 0.5 * gravity * (face.hLeft + face.hRight) * face.rise;
    // Of elevations, as in face.ts.
    const step = Math.max(etaRight, higher) - Math.max(etaLeft, higher);
    face.water = face.weightLeft * face.qLeft + face.weightRight * face.qRight - face.diffusion * step;
    face.isForward = face.water > 0;
    face.share = member.share[face.isForward ? cell - stride : cell];
  }

  function takeWaves(side: -1 | 1, depth: number, speed: number): void {
    if (!(depth > 0)) return;
    const c = Math.sqrt(gravity * depth);
    if (speed + c > face.fastest) {
      face.fastest = speed + c;
      face.fastestOf = side;
    }
    if (speed - c < face.slowest) {
      face.slowest = speed - c;
      face.slowestOf = side;
    }
  }

  /** How the speed of a wave grows with the depth, 1/s. */
  function perDepth(depth: number): number {
    return 0.5 * Math.sqrt(gravity / depth);
  }

  function tangentAt(k: number, cell: number, faces: FaceChanges): void {
    const { fastest: a, slowest: b, fastestOf, slowestOf, inverse, weightLeft, weightRight, diffusion } = face;
    const { hLeft, hRight, rise, uLeft, uRight, qLeft, qRight, pressureRise, share } = face;
    const duLeft = normal.changed.far[k - 1];
    const duRight = normal.changed.near[k];
    const dBed = face.bedIsLeft ? bedChanged.far[k - 1] : bedChanged.near[k];
    const dhLeft = face.leftIsAbove ? eta.changed.far[k - 1] - dBed : 0;
    const dhRight = face.rightIsAbove ? eta.changed.near[k] - dBed : 0;
    const dRise = dhRight - dhLeft;
    let da = 0;
    let db = 0;
    if (fastestOf < 0) da = duLeft + perDepth(hLeft) * dhLeft;
    else if (fastestOf > 0) da = duRight + perDepth(hRight) * dhRight;
    if (slowestOf < 0) db = duLeft - perDepth(hLeft) * dhLeft;
    else if (slowestOf > 0) db = duRight - perDepth(hRight) * dhRight;
    const dWeightLeft = (a * db - b * da) * inverse * inverse;
    const dDiffusion = (b * b * da - a * a * db) * inverse * inverse;
    const dqLeft = dhLeft * uLeft + hLeft * duLeft;
    const dqRight = dhRight * uRight + hRight * duRight;
    const dPressureRise = 0.5 * gravity * ((dhLeft + dhRight) * rise + (hLeft + hRight) * dRise);
    const dWater =
      dWeightLeft * (qLeft - qRight) +
      weightLeft * dqLeft +
      weightRight * dqRight -
      dDiffusion * rise -
      diffusion * dRise;
    const dAdvection =
      dWeightLeft * (qLeft * uLeft - qRight * uRight) +
      weightLeft * (dqLeft * uLeft + qLeft * duLeft) +
      weightRight * (dqRight * uRight + qRight * duRight) -
      dDiffusion * (qRight - qLeft) -
      diffusion * (dqRight - dqLeft);
    const carried = face.isForward ? tangential.far[k - 1] : tangential.near[k];
    const dCarried = face.isForward ? tangential.changed.far[k - 1] : tangential.changed.near[k];
    faces.water[cell] = share * dWater;
    faces.advection[cell] = share * dAdvection;
    faces.tangential[cell] = share * (dWater * carried + face.water * dCarried);
    faces.before[cell] = -dWeightLeft * pressureRise + weightRight * dPressureRise;
    faces.after[cell] = -dWeightLeft * pressureRise - weightLeft * dPressureRise;
    const depth = eta.near[k] - bed.near[k] + (eta.far[k] - bed.far[k]);
    const { near, far } = eta.changed;
    const dDepth = near[k] - bedChanged.near[k] + (far[k] - bedChanged.far[k]);
    faces.force[cell] = 0.5 * gravity * (dDepth * (eta.far[k] - eta.near[k]) + depth * (far[k] - near[k]));
  }

  function adjointAt(k: number, cell: number, after: CellSensitivities, ratio: number): void {
    const { fastest: a, slowest: b, fastestOf, slowestOf, inverse, weightLeft, weightRight, diffusion } = face;
    const { hLeft, hRight, rise, uLeft, uRight, qLeft, qRight, pressureRise } = face;
    const before = cell - stride;
    const through = ratio * face.share;
    const toBefore = -ratio * after.normal[before];
    const toAfter = ratio * after.normal[cell];
    const toAdvection = through * after.normal[cell] - through * after.normal[before];
    const toTangential = through * after.tangential[cell] - through * after.tangential[before];
    const carried = face.isForward ? tangential.far[k - 1] : tangential.near[k];
    if (face.isForward) tangential.changed.far[k - 1] += toTangential * face.water;
    else tangential.changed.near[k] += toTangential * face.water;
    const toWater = through * after.water[cell] - through * after.water[before] + toTangential * carried;

    const toPressureRise = weightRight * toBefore - weightLeft * toAfter;
    const toWeightLeft =
      toWater * (qLeft - qRight) +
      toAdvection * (qLeft * uLeft - qRight * uRight) -
      (toBefore + toAfter) * pressureRise;
    const toDiffusion = -toWater * rise - toAdvection * (qRight - qLeft);
    const toQLeft = toWater * weightLeft + toAdvection * (weightLeft * uLeft + diffusion);
    const toQRight = toWater * weightRight + toAdvection * (weightRight * uRight - diffusion);
    const toRise = -toWater * diffusion + 0.5 * gravity * (hLeft + hRight) * toPressureRise;
    const toA = (b * b * toDiffusion - b * toWeightLeft) * inverse * inverse;
    const toB = (a * toWeightLeft - a * a * toDiffusion) * inverse * inverse;

    let toULeft = toAdvection * weightLeft * qLeft + toQLeft * hLeft;
    let toURight = toAdvection * weightRight * qRight + toQRight * hRight;
    let toHLeft = 0.5 * gravity * rise * toPressureRise + toQLeft * uLeft - toRise;
    let toHRight = 0.5 * gravity * rise * toPressureRise + toQRight * uRight + toRise;
    if (fastestOf < 0) {
      toULeft += toA;
      toHLeft += perDepth(hLeft) * toA;
    } else if (fastestOf > 0) {
      toURight += toA;
      toHRight += perDepth(hRight) * toA;
    }
    if (slowestOf < 0) {
      toULeft += toB;
      toHLeft -= perDepth(hLeft) * toB;
    } else if (slowestOf > 0) {
      toURight += toB;
      toHRight -= perDepth(hRight) * toB;
    }
    normal.changed.far[k - 1] += toULeft;
    normal.changed.near[k] += toURight;
    const { near, far } = eta.changed;
    let toBed = 0;
    if (face.leftIsAbove) {
      far[k - 1] += toHLeft;
      toBed -= toHLeft;
    }
    if (face.rightIsAbove) {
      near[k] += toHRight;
      toBed -= toHRight;
    }
    if (face.bedIsLeft) bedChanged.far[k - 1] += toBed;
    else bedChanged.near[k] += toBed;

    const depth = eta.near[k] - bed.near[k] + (eta.far[k] - bed.far[k]);
    const slope = eta.far[k] - eta.near[k];
    const toForce = 0.5 * gravity * -toAfter;
    near[k] += toForce * (slope - depth);
    far[k] += toForce * (slope + depth);
    bedChanged.near[k] -= toForce * slope;
    bedChanged.far[k] -= toForce * slope;
  }

  function changeSides(k: number, cell: number, cells: CellValues): void {
    const { near, far } = eta.changed;
    if (isDry(cell)) {
      near[k] = far[k] = cells.eta[cell];
      for (const side of [normal.changed, tangential.changed, bedChanged]) side.near[k] = side.far[k] = 0;
      return;
    }
    change(eta, cells.eta, k, cell);
    change(normal, cells.normal, k, cell);
    change(tangential, cells.tangential, k, cell);
    bedChanged.near[k] = grounded.near[k] * near[k];
    bedChanged.far[k] = grounded.far[k] * far[k];
  }

  function gatherSides(k: number, cell: number, cells: CellValues): void {
    const { near, far } = eta.changed;
    near[k] += grounded.near[k] * bedChanged.near[k];
    far[k] += grounded.far[k] * bedChanged.far[k];
    if (isDry(cell)) {
      cells.eta[cell] += near[k] + far[k];
      return;
    }
    changeAdjoint(eta, k, cell, cells.eta);
    changeAdjoint(normal, k, cell, cells.normal);
    changeAdjoint(tangential, k, cell, cells.tangential);
  }

  return {
    tangent(first, count, cells, faces) {
      for (let k = 0, cell = first - stride; k <= count; k++, cell += stride) {
        reconstruct(k, cell);
        changeSides(k, cell, cells);
        if (k === 0) continue;
        take(k, cell);
        tangentAt(k, cell, faces);
      }
    },
    adjoint(first, count, after, ratio, cells) {
      for (const { near, far } of [eta.changed, normal.changed, tangential.changed, bedChanged]) {
        near.fill(0);
        far.fill(0);
      }
      for (let k = 0, cell = first - stride; k <= count; k++, cell += stride) {
        reconstruct(k, cell);
        if (k === 0) continue;
        take(k, cell);
        adjointAt(k, cell, after, ratio);
      }
      for (let k = 0, cell = first - stride; k <= count; k++, cell += stride) gatherSides(k, cell, cells);
    },
  };
}
