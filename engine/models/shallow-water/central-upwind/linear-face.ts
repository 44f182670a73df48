/**
 * The fluxes of face.ts along one axis, linearised: reconstruction on both sides of the faces, the central-upwind flux and the force
 * of the surface's slope within a cell, each with its derivative and the adjoint of that. The limiter's branch, what is dry, which
 * wave is fastest and where water comes from are those of the state. The fastest and the slowest wave change with it:
 *
 *   w₋ = a/(a − b), w₊ = −b/(a − b), D = −ab/(a − b):   δw₋ = −δw₊ = (a δb − b δa)/(a − b)²,   δD = (b² δa − a² δb)/(a − b)².
 */

/** Values at both faces of every cell, near is towards lower indices: of the state, of what changes it, or of a sensitivity to it. */
interface Sides {
  readonly near: SideValues;
  readonly far: SideValues;
}

interface SideValues {
  readonly eta: Float64Array;
  readonly ground: Float64Array;
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
}

/** Through the near face of every cell, as in face.ts. */
export interface FaceValues {
  readonly water: Float64Array;
  readonly advection: Float64Array;
  readonly before: Float64Array;
  readonly after: Float64Array;
  readonly tangential: Float64Array;
}

/** A member on its grid with ghost cells, its velocities normal and tangential to the faces. */
export interface LinearMember {
  readonly gravity: number;
  readonly dryDepth: number;
  readonly eta: Float64Array;
  readonly h: Float64Array;
  readonly normal: Float64Array;
  readonly tangential: Float64Array;
  readonly ground: Float64Array;
  /** Share of its outflow that a cell has the water for. */
  readonly share: Float64Array;
  /** Distance of neighbours along the axis, in elements. */
  readonly stride: number;
}

/** θ of the limiter, as in face.ts. */
const THETA = 1.5;

const RECONSTRUCTED = ['eta', 'normal', 'tangential'] as const;
type Reconstructed = (typeof RECONSTRUCTED)[number];

/** Elevation and velocities of cells: what changes them, or a sensitivity to them. */
export type CellValues = Readonly<Record<Reconstructed, Float64Array>>;

export interface LinearFaces {
  /** Through the near faces: share of the outflow of the cell that the water comes from. */
  readonly share: Float64Array;
  /** Reconstructs the member as it is: a line of `count` cells from `first` on, and the one before. */
  prepare(first: number, count: number): void;
  /** Changes of the faces of a line and of its cells' forces, for changes of cells. */
  tangent(first: number, count: number, cells: CellValues, faces: FaceValues, force: Float64Array): void;
  /** Adds to the sensitivity to cells, for one to the faces of a line and to its cells' forces. */
  adjoint(first: number, count: number, faces: FaceValues, force: Float64Array, cells: CellValues): void;
}

function sidesOf(length: number): Sides {
  const array = (): Float64Array => new Float64Array(length);
  const values = (): SideValues => ({ eta: array(), ground: array(), normal: array(), tangential: array() });
  return { near: values(), far: values() };
}

function clear({ near, far }: Sides, cell: number): void {
  for (const side of [near, far]) {
    side.eta[cell] = side.ground[cell] = side.normal[cell] = side.tangential[cell] = 0;
  }
}

/** Sum of the depths at the sides of a cell, and the rise of the surface between them; or the changes of both. */
function depthAndRise({ near, far }: Sides, cell: number): readonly [depth: number, rise: number] {
  const depth = near.eta[cell] - near.ground[cell] + (far.eta[cell] - far.ground[cell]);
  return [depth, far.eta[cell] - near.eta[cell]];
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
    /** Flux of water. */
    water: 0,
  };
}

export function createLinearFaces(member: LinearMember): LinearFaces {
  const { gravity, dryDepth, eta, h, normal, tangential, ground, stride } = member;
  const { length } = eta;
  const array = (): Float64Array => new Float64Array(length);
  const base = sidesOf(length);
  const changed = sidesOf(length);
  /** Weights of a cell's differences from the one before and to the one after in its slope. */
  const weights = {
    eta: { before: array(), after: array() },
    normal: { before: array(), after: array() },
    tangential: { before: array(), after: array() },
  };
  const values = { eta, normal, tangential };
  /** 1 where the ground at a side is the water's own surface. */
  const grounded = { near: array(), far: array() };
  const face = emptyFace();
  const share = array();

  function isDry(cell: number): boolean {
    return h[cell] <= dryDepth;
  }

  /** The slope of a cell as weights of its differences: face.ts has the rule. */
  function weigh(name: Reconstructed, cell: number, blocksBefore: boolean, blocksAfter: boolean): void {
    const own = weights[name];
    own.before[cell] = 0;
    own.after[cell] = 0;
    if (blocksBefore || blocksAfter) {
      if (blocksBefore) own.after[cell] = isDry(cell + stride) ? 0 : 1;
      else own.before[cell] = isDry(cell - stride) ? 0 : 1;
      return;
    }
    const down = values[name][cell] - values[name][cell - stride];
    const up = values[name][cell + stride] - values[name][cell];
    if (down * up <= 0) return;
    const [mean, limit] = [0.5 * Math.abs(down + up), THETA * Math.min(Math.abs(down), Math.abs(up))];
    if (mean <= limit) own.before[cell] = own.after[cell] = 0.5;
    else if (Math.abs(down) <= Math.abs(up)) own.before[cell] = THETA;
    else own.after[cell] = THETA;
  }

  function reconstruct(cell: number): void {
    const { near, far } = base;
    if (isDry(cell)) {
      for (const name of RECONSTRUCTED) weights[name].before[cell] = weights[name].after[cell] = 0;
      near.eta[cell] = far.eta[cell] = eta[cell];
      near.ground[cell] = far.ground[cell] = ground[cell];
      near.normal[cell] = far.normal[cell] = near.tangential[cell] = far.tangential[cell] = 0;
      grounded.near[cell] = grounded.far[cell] = 0;
      return;
    }
    const [dryBefore, dryAfter] = [isDry(cell - stride), isDry(cell + stride)];
    weigh('eta', cell, dryBefore && eta[cell - stride] > eta[cell], dryAfter && eta[cell + stride] > eta[cell]);
    weigh('normal', cell, dryBefore, dryAfter);
    weigh('tangential', cell, dryBefore, dryAfter);
    for (const name of RECONSTRUCTED) extrapolate(name, values[name], cell, base);
    const groundNear = 0.5 * (ground[cell] + ground[cell - stride]);
    const groundFar = 0.5 * (ground[cell] + ground[cell + stride]);
    grounded.near[cell] = Number(groundNear > near.eta[cell]);
    grounded.far[cell] = Number(groundFar > far.eta[cell]);
    near.ground[cell] = Math.min(groundNear, near.eta[cell]);
    far.ground[cell] = Math.min(groundFar, far.eta[cell]);
  }

  /** Values at the sides of a cell, of values at cells. */
  function extrapolate(name: Reconstructed, of: Float64Array, cell: number, into: Sides): void {
    const { before, after } = weights[name];
    const slope = before[cell] * (of[cell] - of[cell - stride]) + after[cell] * (of[cell + stride] - of[cell]);
    into.near[name][cell] = of[cell] - 0.5 * slope;
    into.far[name][cell] = of[cell] + 0.5 * slope;
  }

  function extrapolateAdjoint(name: Reconstructed, cell: number, to: Float64Array): void {
    const [near, far] = [changed.near[name][cell], changed.far[name][cell]];
    const slope = 0.5 * (far - near);
    const [before, after] = [weights[name].before[cell] * slope, weights[name].after[cell] * slope];
    to[cell] += near + far + before - after;
    to[cell - stride] -= before;
    to[cell + stride] += after;
  }

  /** Sets `face` to the near face of a cell. */
  function take(cell: number): void {
    const { far: left, near: right } = base;
    const before = cell - stride;
    face.bedIsLeft = left.ground[before] >= right.ground[cell];
    const bed = face.bedIsLeft ? left.ground[before] : right.ground[cell];
    face.leftIsAbove = left.eta[before] > bed;
    face.rightIsAbove = right.eta[cell] > bed;
    face.hLeft = face.leftIsAbove ? left.eta[before] - bed : 0;
    face.hRight = face.rightIsAbove ? right.eta[cell] - bed : 0;
    face.rise = face.hRight - face.hLeft;
    face.uLeft = left.normal[before];
    face.uRight = right.normal[cell];
    face.qLeft = face.hLeft * face.uLeft;
    face.qRight = face.hRight * face.uRight;
    face.fastest = face.slowest = face.fastestOf = face.slowestOf = 0;
    takeWaves(-1, face.hLeft, face.uLeft);
    takeWaves(1, face.hRight, face.uRight);
    face.inverse = face.fastest > face.slowest ? 1 / (face.fastest - face.slowest) : 0;
    face.weightLeft = face.fastest * face.inverse;
    face.weightRight = -face.slowest * face.inverse;
    face.diffusion = face.fastest * face.weightRight;
    face.pressureRise = 0.5 * gravity * (face.hLeft + face.hRight) * face.rise;
    // Of elevations, as in face.ts.
    const rise = Math.max(right.eta[cell], bed) - Math.max(left.eta[before], bed);
    face.water = face.weightLeft * face.qLeft + face.weightRight * face.qRight - face.diffusion * rise;
  }

  function takeWaves(side: number, depth: number, speed: number): void {
    if (!(depth > 0)) return;
    const c = Math.sqrt(gravity * depth);
    if (speed + c > face.fastest) [face.fastest, face.fastestOf] = [speed + c, side];
    if (speed - c < face.slowest) [face.slowest, face.slowestOf] = [speed - c, side];
  }

  /** Change of the speed of a wave. @param of the side that it belongs to @param sign 1 of the fastest, −1 of the slowest */
  function waveChange(
    of: number,
    sign: number,
    dhLeft: number,
    dhRight: number,
    duLeft: number,
    duRight: number,
  ): number {
    if (of === 0) return 0;
    const [depth, dh, du] = of < 0 ? [face.hLeft, dhLeft, duLeft] : [face.hRight, dhRight, duRight];
    return du + sign * 0.5 * Math.sqrt(gravity / depth) * dh;
  }

  function tangentAt(cell: number, faces: FaceValues): void {
    const before = cell - stride;
    take(cell);
    const { fastest: a, slowest: b, inverse, weightLeft, weightRight, diffusion } = face;
    const { hLeft, hRight, rise, uLeft, uRight, qLeft, qRight, pressureRise } = face;
    const { far: left, near: right } = changed;
    const [duLeft, duRight] = [left.normal[before], right.normal[cell]];
    const dBed = face.bedIsLeft ? left.ground[before] : right.ground[cell];
    const dhLeft = face.leftIsAbove ? left.eta[before] - dBed : 0;
    const dhRight = face.rightIsAbove ? right.eta[cell] - dBed : 0;
    const dRise = dhRight - dhLeft;
    const da = waveChange(face.fastestOf, 1, dhLeft, dhRight, duLeft, duRight);
    const db = waveChange(face.slowestOf, -1, dhLeft, dhRight, duLeft, duRight);
    const dWeightLeft = (a * db - b * da) * inverse * inverse;
    const dDiffusion = (b * b * da - a * a * db) * inverse * inverse;
    const [dqLeft, dqRight] = [dhLeft * uLeft + hLeft * duLeft, dhRight * uRight + hRight * duRight];
    const dPressureRise = 0.5 * gravity * ((dhLeft + dhRight) * rise + (hLeft + hRight) * dRise);
    const dWater =
      dWeightLeft * (qLeft - qRight) +
      weightLeft * dqLeft +
      weightRight * dqRight -
      dDiffusion * rise -
      diffusion * dRise;
    faces.water[cell] = dWater;
    faces.advection[cell] =
      dWeightLeft * (qLeft * uLeft - qRight * uRight) +
      weightLeft * (dqLeft * uLeft + qLeft * duLeft) +
      weightRight * (dqRight * uRight + qRight * duRight) -
      dDiffusion * (qRight - qLeft) -
      diffusion * (dqRight - dqLeft);
    faces.before[cell] = -dWeightLeft * pressureRise + weightRight * dPressureRise;
    faces.after[cell] = -dWeightLeft * pressureRise - weightLeft * dPressureRise;
    const isForward = face.water > 0;
    const carried = isForward ? base.far.tangential[before] : base.near.tangential[cell];
    const dCarried = isForward ? left.tangential[before] : right.tangential[cell];
    faces.tangential[cell] = dWater * carried + face.water * dCarried;
  }

  function adjointAt(cell: number, faces: FaceValues): void {
    const before = cell - stride;
    take(cell);
    const { fastest: a, slowest: b, inverse, weightLeft, weightRight, diffusion } = face;
    const { hLeft, hRight, rise, uLeft, uRight, qLeft, qRight, pressureRise } = face;
    const { far: left, near: right } = changed;
    const [toBefore, toAfter, toAdvection] = [faces.before[cell], faces.after[cell], faces.advection[cell]];
    const isForward = face.water > 0;
    const toTangential = faces.tangential[cell];
    const carried = isForward ? base.far.tangential[before] : base.near.tangential[cell];
    if (isForward) left.tangential[before] += toTangential * face.water;
    else right.tangential[cell] += toTangential * face.water;
    const toWater = faces.water[cell] + toTangential * carried;

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
    for (const [of, sign, to] of [
      [face.fastestOf, 1, toA],
      [face.slowestOf, -1, toB],
    ] as const) {
      if (of < 0) {
        toULeft += to;
        toHLeft += sign * 0.5 * Math.sqrt(gravity / hLeft) * to;
      } else if (of > 0) {
        toURight += to;
        toHRight += sign * 0.5 * Math.sqrt(gravity / hRight) * to;
      }
    }
    left.normal[before] += toULeft;
    right.normal[cell] += toURight;
    let toBed = 0;
    if (face.leftIsAbove) {
      left.eta[before] += toHLeft;
      toBed -= toHLeft;
    }
    if (face.rightIsAbove) {
      right.eta[cell] += toHRight;
      toBed -= toHRight;
    }
    if (face.bedIsLeft) left.ground[before] += toBed;
    else right.ground[cell] += toBed;
  }

  function changeSides(cell: number, cells: CellValues): void {
    clear(changed, cell);
    if (isDry(cell)) {
      changed.near.eta[cell] = changed.far.eta[cell] = cells.eta[cell];
      return;
    }
    for (const name of RECONSTRUCTED) extrapolate(name, cells[name], cell, changed);
    changed.near.ground[cell] = grounded.near[cell] * changed.near.eta[cell];
    changed.far.ground[cell] = grounded.far[cell] * changed.far.eta[cell];
  }

  function gatherSides(cell: number, cells: CellValues): void {
    const { near, far } = changed;
    near.eta[cell] += grounded.near[cell] * near.ground[cell];
    far.eta[cell] += grounded.far[cell] * far.ground[cell];
    if (isDry(cell)) cells.eta[cell] += near.eta[cell] + far.eta[cell];
    else for (const name of RECONSTRUCTED) extrapolateAdjoint(name, cell, cells[name]);
  }

  const along = (first: number, count: number, visit: (cell: number) => void): void => {
    for (let k = 0; k < count; k++) visit(first + k * stride);
  };

  return {
    share,
    prepare(first, count) {
      along(first - stride, count + 1, reconstruct);
      along(first, count, (cell) => {
        take(cell);
        share[cell] = member.share[face.water > 0 ? cell - stride : cell];
      });
    },
    tangent(first, count, cells, faces, force) {
      along(first - stride, count + 1, (cell) => changeSides(cell, cells));
      along(first, count, (cell) => {
        tangentAt(cell, faces);
        const [depth, rise] = depthAndRise(base, cell);
        const [dDepth, dRise] = depthAndRise(changed, cell);
        force[cell] = 0.5 * gravity * (dDepth * rise + depth * dRise);
      });
    },
    adjoint(first, count, faces, force, cells) {
      along(first - stride, count + 1, (cell) => clear(changed, cell));
      along(first, count, (cell) => {
        adjointAt(cell, faces);
        const [depth, rise] = depthAndRise(base, cell);
        const { near, far } = changed;
        const to = 0.5 * gravity * force[cell];
        near.eta[cell] += to * (rise - depth);
        far.eta[cell] += to * (rise + depth);
        near.ground[cell] -= to * rise;
        far.ground[cell] -= to * rise;
      });
      along(first - stride, count + 1, (cell) => gatherSides(cell, cells));
    },
  };
}
