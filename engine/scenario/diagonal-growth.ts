/**
 * How fast Moler's scheme (`lax-wendroff`) amplifies small waves on water at rest.
 *
 * Its half steps on faces omit the transverse terms of the Taylor series. A wave with the phase angles θx, θy from cell to
 * cell is multiplied in each step by the eigenvalues of
 *
 *         ⎛ 1 − P − Q   −iX     −iY  ⎞
 *     G = ⎜   −iX      1 − P     0   ⎟ ,  X = Cx sin θx, P = 2 Cx² sin²(θx/2), Cx = √(g h)·dt/dx, and Y, Q, Cy so along y,
 *         ⎝   −iY        0     1 − Q ⎠
 *
 * scaled so that h is in units of √(h/g) of the momenta. Along an axis |G| ≤ 1 up to C = 1. Along the diagonal of square
 * cells |G|² = 1 + 2C²s²(1 − 4s²(1 − C²)) with s = sin(θ/2), which is above 1 for long waves at every C, and largest, at
 * s² = 1/(8(1 − C²)):
 *
 *     max|G|² = 1 + C²/(8(1 − C²)),   so that for small C errors grow as exp(t·g h·dt/(16 dx²)).
 */
import { greatestDepth } from '../bathymetry/index.ts';
import { waterOf } from '../model-kinds/index.ts';
import { fastestWave } from './bed.ts';
import type { Scenario } from './schema.ts';

/** Phase angles along each axis at which |G| is looked at, 0 to π: as many as 81 from −π to π. */
const ANGLES = 41;
/** Halvings of the interval that holds an eigenvalue: to the last bits. */
const HALVINGS = 60;

export interface SmallWaves {
  /** m/s² */
  readonly gravity: number;
  /** Metres; of the water at rest, and the sides of a cell. */
  readonly depth: number;
  readonly dx: number;
  readonly dy: number;
  /** Seconds. */
  readonly timeStep: number;
}

/**
 * |G|² − 1 of the wave with given phase angles, for the largest of its three eigenvalues 1 − w, where
 *
 *     w³ − 2(P + Q)w² + ((P + Q)² + PQ + X² + Y²)w − ((P + Q)PQ + X²Q + Y²P) = 0.
 *
 * One root is real and between 0 and P + Q; the other two mostly are a pair that is not.
 */
function excess(courantX: number, courantY: number, thetaX: number, thetaY: number): number {
  const xx = (courantX * Math.sin(thetaX)) ** 2;
  const yy = (courantY * Math.sin(thetaY)) ** 2;
  const p = 2 * (courantX * Math.sin(thetaX / 2)) ** 2;
  const q = 2 * (courantY * Math.sin(thetaY / 2)) ** 2;
  const linear = (p + q) ** 2 + p * q + xx + yy;
  const constant = (p + q) * p * q + xx * q + yy * p;
  let [low, high] = [0, p + q];
  for (let halving = 0; halving < HALVINGS; halving++) {
    const w = (low + high) / 2;
    if (((w - 2 * (p + q)) * w + linear) * w < constant) low = w;
    else high = w;
  }
  const real = (low + high) / 2;
  // What is left is w² − s·w + r.
  const s = 2 * (p + q) - real;
  const r = linear - real * s;
  const discriminant = s * s - 4 * r;
  // Of a pair that is not real |1 − w|² = 1 − s + r.
  if (discriminant < 0) return Math.max(ofReal(real), r - s);
  const root = Math.sqrt(discriminant);
  return Math.max(ofReal(real), ofReal((s - root) / 2), ofReal((s + root) / 2));
}

/** (1 − w)² − 1 */
function ofReal(w: number): number {
  return w * (w - 2);
}

/** @returns max|G| of a step over all waves; above 1 for every time step */
export function largestAmplification({ gravity, depth, dx, dy, timeStep }: SmallWaves): number {
  const speed = Math.sqrt(gravity * depth);
  const [courantX, courantY] = [(speed * timeStep) / dx, (speed * timeStep) / dy];
  let largest = 0;
  for (let j = 0; j < ANGLES; j++) {
    for (let i = 0; i < ANGLES; i++) {
      const [thetaX, thetaY] = [(Math.PI * i) / (ANGLES - 1), (Math.PI * j) / (ANGLES - 1)];
      largest = Math.max(largest, excess(courantX, courantY, thetaX, thetaY));
    }
  }
  return Math.sqrt(1 + largest);
}

/** @returns seconds in which the fastest growing wave becomes e times as high */
export function foldingTime(waves: SmallWaves): number {
  return waves.timeStep / Math.log(largestAmplification(waves));
}

export interface NoiseGrowth {
  /** Seconds; with "auto" as the fastest wave that the run begins with lets it be. */
  readonly timeStep: number;
  /** Seconds in which noise becomes e times as high. */
  readonly foldingSeconds: number;
}

/**
 * @returns how fast a scenario's scheme amplifies its own noise; undefined where it does not, where the depth is not known, and
 *   where the step is so long that every wave grows at once
 */
export function noiseGrowth(scenario: Scenario): NoiseGrowth | undefined {
  const { grid } = scenario;
  const model = waterOf(scenario.model);
  const depth = model && greatestDepth(model.bathymetry);
  if (model?.scheme !== 'lax-wendroff' || depth === undefined) return undefined;
  const { gravity } = model;
  const atRest = Math.sqrt(gravity * depth);
  const { dx, dy } = grid;
  const side = Math.min(dx, dy);
  const timeStep =
    model.timeStep === 'auto' ? (model.courant * side) / (fastestWave(scenario) ?? atRest) : model.timeStep;
  if (timeStep * atRest >= side) return undefined;
  return { timeStep, foldingSeconds: foldingTime({ gravity, depth, dx, dy, timeStep }) };
}
