/** The operators of this room in float64: the specification. Formulas and shapes stand where each operator is defined. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import type {
  columnScalingFields,
  innovationFields,
  InnovationParameters,
  linearisationFields,
  LinearisationParameters,
  measurementFields,
  MeasurementParameters,
  observationFields,
  ObservationParameters,
  qualityControlFields,
  QualityControlParameters,
  sparseAdjointFields,
  SparseParameters,
  sparseProductFields,
} from './parameters.ts';
import { KIND } from './variables.ts';

export function sparseProduct({ rows, columns, batch }: SparseParameters) {
  return ({ indptr, indices, data, input, output }: ArraysOf<typeof sparseProductFields>): void => {
    for (let member = 0; member < batch; member++) {
      for (let row = 0; row < rows; row++) {
        let sum = 0;
        for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
          sum += data[entry] * input[member * columns + indices[entry]];
        }
        output[member * rows + row] = sum;
      }
    }
  };
}

export function sparseAdjoint({ rows, columns, batch }: SparseParameters) {
  return ({
    columnStart,
    entryRow,
    entryPosition,
    data,
    input,
    output,
  }: ArraysOf<typeof sparseAdjointFields>): void => {
    for (let member = 0; member < batch; member++) {
      for (let column = 0; column < columns; column++) {
        let sum = 0;
        for (let entry = columnStart[column]; entry < columnStart[column + 1]; entry++) {
          sum += data[entryPosition[entry]] * input[member * rows + entryRow[entry]];
        }
        output[member * columns + column] = sum;
      }
    }
  };
}

export function columnScaling({ rows }: SparseParameters) {
  return ({ indptr, indices, data, scale }: ArraysOf<typeof columnScalingFields>): void => {
    for (let entry = 0; entry < indptr[rows]; entry++) data[entry] *= scale[indices[entry]];
  };
}

/** ρ(h): 1/h, and harmless below the depth ε [kurganov2007]. */
function reciprocalDepth(h: number, dryDepth: number): number {
  if (h >= dryDepth) return 1 / h;
  const t = Math.max(h, 0) / dryDepth;
  return (Math.SQRT2 * t) / (dryDepth * Math.sqrt(1 + t ** 4));
}

/** ρ′(h); 0 where h ≤ 0, as ρ is constant there. */
function reciprocalDepthSlope(h: number, dryDepth: number): number {
  if (h >= dryDepth) return -1 / (h * h);
  if (h <= 0) return 0;
  const t4 = (h / dryDepth) ** 4;
  return (Math.SQRT2 * (1 - t4)) / (dryDepth * dryDepth * (1 + t4) ** 1.5);
}

/** Four corners of one component at observation j, summed; `base` is where the component's plane begins in the state. */
function interpolated(state: RealArray, base: number, corners: Uint32Array, weights: RealArray, j: number): number {
  let sum = 0;
  for (let corner = 4 * j; corner < 4 * j + 4; corner++) {
    sum += weights[corner] * state[base + corners[corner]];
  }
  return sum;
}

export function observation({ observations, plane, variables, batch, dryDepth }: ObservationParameters) {
  return ({ state, corners, weights, kind, offset, output }: ArraysOf<typeof observationFields>): void => {
    for (let member = 0; member < batch; member++) {
      const base = member * variables * plane;
      for (let j = 0; j < observations; j++) {
        const component = kind[j] < KIND.velocityX ? kind[j] : 0;
        const first = interpolated(state, base + component * plane, corners, weights, j) + offset[j];
        let seen = first;
        if (kind[j] >= KIND.velocityX) {
          const hu = interpolated(state, base + plane, corners, weights, j);
          const hv = interpolated(state, base + 2 * plane, corners, weights, j);
          seen = reciprocalDepth(first, dryDepth) * momentum(kind[j], hu, hv);
        }
        output[member * observations + j] = seen;
      }
    }
  };
}

/** What of the momentum is observed: a component, or its size. */
function momentum(kind: number, hu: number, hv: number): number {
  if (kind === KIND.velocityX) return hu;
  if (kind === KIND.velocityY) return hv;
  return Math.hypot(hu, hv);
}

export function linearisation({ observations, plane, dryDepth }: LinearisationParameters) {
  const slopes = new Float64Array(3);
  return ({
    state,
    corners,
    weights,
    kind,
    offset,
    inverseErrorStd,
    indptr,
    data,
  }: ArraysOf<typeof linearisationFields>): void => {
    for (let j = 0; j < observations; j++) {
      slopes.fill(1);
      if (kind[j] >= KIND.velocityX) {
        const depth = interpolated(state, 0, corners, weights, j) + offset[j];
        const hu = interpolated(state, plane, corners, weights, j);
        const hv = interpolated(state, 2 * plane, corners, weights, j);
        velocitySlopes(kind[j], depth, hu, hv, dryDepth, slopes);
      }
      for (let entry = indptr[j]; entry < indptr[j + 1]; entry++) {
        const place = entry - indptr[j];
        data[entry] = inverseErrorStd[j] * slopes[place >> 2] * weights[4 * j + (place & 3)];
      }
    }
  };
}

/** Derivatives of y by the state components that it depends on, in their order: h, hu and hv as far as they are there. */
function velocitySlopes(kind: number, h: number, hu: number, hv: number, dryDepth: number, slopes: Float64Array): void {
  const size = momentum(kind, hu, hv);
  const reciprocal = reciprocalDepth(h, dryDepth);
  slopes[0] = reciprocalDepthSlope(h, dryDepth) * size;
  slopes[1] = reciprocal;
  if (kind === KIND.speed) {
    slopes[1] = size > 0 ? (reciprocal * hu) / size : 0;
    slopes[2] = size > 0 ? (reciprocal * hv) / size : 0;
  }
}

export function measurement({ observations }: MeasurementParameters) {
  return ({ observed, normal, term, isGiven, values }: ArraysOf<typeof measurementFields>): void => {
    for (let j = 0; j < observations; j++) values[j] = isGiven[j] === 0 ? observed[j] + term[j] * normal[j] : term[j];
  };
}

export function innovation({ observations }: InnovationParameters) {
  return ({ values, observed, inverseErrorStd, innovation, scaled }: ArraysOf<typeof innovationFields>): void => {
    for (let j = 0; j < observations; j++) {
      innovation[j] = inverseErrorStd[j] === 0 ? 0 : values[j] - observed[j];
      scaled[j] = inverseErrorStd[j] * innovation[j];
    }
  };
}

export function qualityControl({ observations, sharpest }: QualityControlParameters) {
  return ({
    innovation,
    inverseErrorStd,
    variance,
    threshold,
    effective,
  }: ArraysOf<typeof qualityControlFields>): void => {
    for (let j = 0; j < observations; j++) {
      const r = inverseErrorStd[j];
      const n = threshold[j];
      const believed = n === 0 || r * Math.abs(innovation[j]) <= n * Math.sqrt(1 + r * r * variance[j]);
      const scale = Math.max(Math.sqrt(variance[j]), Math.abs(innovation[j]));
      const taken = r * scale > sharpest ? sharpest / scale : r;
      effective[j] = believed ? taken : 0;
    }
  };
}
