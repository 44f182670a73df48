/**
 * Stirring: a random force without divergence in a band of wavelengths, which feeds turbulence. Its streamfunction is a sum of
 * products of waves along x and along y, each with an amplitude that is an Ornstein–Uhlenbeck process, constant within a cycle:
 * c_{n+1} = φ c_n + √(1 − φ²) ξ, φ = exp(−T/τ), T the cycle and τ the decorrelation time.
 *
 * A force with the mean square a² that is constant in cycles gives water at rest a² T (1 + φ)/(2 (1 − φ)) of kinetic energy a second,
 * per unit of mass: a follows from the power.
 */
import { boundaryOf, cellLength, choice, kindSchema, quantity, type BasinSettings } from '../settings/index.ts';
import type { Grid } from '../models/index.ts';
import { defineForcing, type DrivenWater, type IntervalStreams, type Source } from './definition.ts';

/** Products of waves at most: each is a number that is drawn for every state in every cycle. */
const MOST_PATTERNS = 400;

/** A wave along one axis, which walls make vanish at both ends. */
interface Wave {
  /** rad/m */
  readonly wavenumber: number;
  /** At a distance from the end of the axis, m. */
  readonly value: (place: number) => number;
}

/** @returns waves along an axis of `length` m whose wavelength is at least `shortest` m */
function wavesAlong(length: number, periodic: boolean, shortest: number): Wave[] {
  const unit = (periodic ? 2 : 1) * (Math.PI / length);
  const most = Math.floor((2 * Math.PI) / shortest / unit);
  return Array.from({ length: most + 1 }, (_, count) => count * unit).flatMap((wavenumber): Wave[] => {
    const sine = { wavenumber, value: (place: number) => Math.sin(wavenumber * place) };
    const cosine = { wavenumber, value: (place: number) => Math.cos(wavenumber * place) };
    if (!periodic) return wavenumber === 0 ? [] : [sine];
    return wavenumber === 0 ? [cosine] : [cosine, sine];
  });
}

/** Products of a wave along x and one along y whose wavelength is in the band. */
function patternsIn([shortest, longest]: readonly [number, number], grid: Grid): (readonly [Wave, Wave])[] {
  const alongX = wavesAlong(grid.nx * grid.dx, grid.periodicX, shortest);
  const alongY = wavesAlong(grid.ny * grid.dy, grid.periodicY, shortest);
  return alongX.flatMap((x) =>
    alongY
      .filter((y) => {
        const wavelength = (2 * Math.PI) / Math.hypot(x.wavenumber, y.wavenumber);
        return wavelength >= shortest && wavelength <= longest;
      })
      .map((y) => [x, y] as const),
  );
}

/** A wave at the centres of the cells, and its central difference there: what the force is made of has no divergence then. */
function sampled({ value }: Wave, cells: number, d: number): readonly [Float64Array, Float64Array] {
  const places = Float64Array.from({ length: cells }, (_, i) => (i + 0.5) * d);
  return [places.map(value), places.map((place) => (value(place + d) - value(place - d)) / (2 * d))];
}

function meanSquare(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value ** 2, 0) / values.length;
}

interface Pattern {
  readonly alongX: Float64Array;
  readonly slopeX: Float64Array;
  readonly alongY: Float64Array;
  readonly slopeY: Float64Array;
}

/** The patterns of a band, each with a force whose mean square over the basin is 1. */
function unitPatterns(band: readonly [number, number], grid: Grid): Pattern[] {
  return patternsIn(band, grid).map(([x, y]) => {
    const [alongX, slopeX] = sampled(x, grid.nx, grid.dx);
    const [alongY, slopeY] = sampled(y, grid.ny, grid.dy);
    const square = meanSquare(alongX) * meanSquare(slopeY) + meanSquare(slopeX) * meanSquare(alongY);
    const scale = 1 / Math.sqrt(square);
    return {
      alongX: alongX.map((value) => scale * value),
      slopeX: slopeX.map((value) => scale * value),
      alongY,
      slopeY,
    };
  });
}

/** The root mean square of the acceleration, m/s². @param memory φ */
function accelerationOf(power: number, window: number, memory: number): number {
  return Math.sqrt((2 * power * (1 - memory)) / (window * (1 + memory)));
}

/** Adds H·(−∂ψ/∂y, ∂ψ/∂x) of one pattern to the rates of the momenta. */
function addForce(rates: Float64Array, { alongX, slopeX, alongY, slopeY }: Pattern, strength: number): void {
  const nx = alongX.length;
  const cells = nx * alongY.length;
  for (let j = 0; j < alongY.length; j++) {
    for (let i = 0; i < nx; i++) {
      const cell = j * nx + i;
      rates[cells + cell] -= strength * alongX[i] * slopeY[j];
      rates[2 * cells + cell] += strength * slopeX[i] * alongY[j];
    }
  }
}

interface StirringSettings {
  readonly shortest: number;
  readonly longest: number;
  readonly power: number;
  readonly decorrelation: number;
}

function createStirring(
  { shortest, longest, power, decorrelation }: StirringSettings,
  { grid, bed, window }: DrivenWater,
  first: number,
  streamOf: IntervalStreams,
): Source {
  const cells = grid.nx * grid.ny;
  const patterns = unitPatterns([shortest, longest], grid);
  const memory = decorrelation === 0 ? 0 : Math.exp(-window / decorrelation);
  const each = accelerationOf(power, window, memory) / Math.sqrt(patterns.length);
  const amplitudes = new Float64Array(patterns.length);
  const rates = new Float64Array(3 * cells);
  let reached = first - 1;

  /** The amplitudes of an interval follow from all before it: they are the same however the run came there. */
  function follow(number: number): void {
    // Without memory an interval does not need those before it.
    if (memory === 0) reached = number - 1;
    else if (number < reached) reached = first - 1;
    while (reached < number) {
      reached++;
      const stream = streamOf(reached);
      const isFirst = reached === first;
      const [kept, fresh] = isFirst ? [0, 1] : [memory, Math.sqrt(1 - memory ** 2)];
      for (let p = 0; p < amplitudes.length; p++) amplitudes[p] = kept * amplitudes[p] + fresh * stream.normal();
    }
  }

  return {
    rates({ number }) {
      follow(number);
      rates.fill(0);
      patterns.forEach((pattern, p) => addForce(rates, pattern, each * amplitudes[p]));
      for (let cell = 0; cell < cells; cell++) {
        const depth = Math.max(0, -bed[cell]);
        rates[cells + cell] *= depth;
        rates[2 * cells + cell] *= depth;
      }
      return rates;
    },
  };
}

/** @returns patterns of the band in a basin */
function patternCount({ shortest, longest }: StirringSettings, { grid, model }: BasinSettings): number {
  const { x, y } = boundaryOf(model);
  return patternsIn([shortest, longest], { ...grid, periodicX: x === 'periodic', periodicY: y === 'periodic' }).length;
}

export const stirring = defineForcing(
  kindSchema(
    'stirring',
    {
      title: 'Stirring',
      description:
        'A random force without divergence in a band of wavelengths, which changes slowly: together with friction it keeps turbulence going.',
      gist: 'A random force in a band of wavelengths, which keeps turbulence going.',
    },
    {
      shortest: cellLength({
        title: 'Shortest',
        description: 'The shortest wavelength that is stirred.',
        unit: 'm',
        above: 0,
        maximum: 1e9,
        cells: 14,
        isInside: true,
      }),
      longest: cellLength({
        title: 'Longest',
        description: 'The longest wavelength that is stirred.',
        unit: 'm',
        above: 0,
        maximum: 1e9,
        cells: 20,
        isInside: true,
      }),
      power: quantity({
        title: 'Power',
        description: 'The kinetic energy that enters a second, per kilogram of water.',
        unit: 'm²/s³',
        minimum: 0,
        maximum: 1e6,
        default: 1e-6,
      }),
      decorrelation: quantity({
        title: 'Decorrelation',
        description:
          'Time in which the force forgets itself, to 1/e; 0 for a force that is drawn afresh in each cycle.',
        unit: 's',
        minimum: 0,
        maximum: 1e9,
        default: 0,
      }),
      seenBy: choice({
        title: 'Seen by',
        description:
          'truth: the truth alone, a model error. all: truth and members alike, a force that forecasts know. each: the truth and every member have a force of their own, of which forecasts know the statistics alone.',
        words: ['truth', 'all', 'each'],
        default: 'each',
      }),
    },
  ),
  {
    world: 'basin',
    problems(settings, basin) {
      if (settings.shortest > settings.longest) {
        return [{ path: ['shortest'], message: `found ${settings.shortest} m, above longest, ${settings.longest} m` }];
      }
      const { dx, dy } = basin.grid;
      const least = 4 * Math.max(dx, dy);
      if (settings.shortest < least) {
        return [
          { path: ['shortest'], message: `found ${settings.shortest} m, allowed: at least four cells, ${least} m` },
        ];
      }
      const found = patternCount(settings, basin);
      if (found > 0 && found <= MOST_PATTERNS) return [];
      const message = `found ${found} waves of ${settings.shortest} to ${settings.longest} m that fit into the basin, allowed: 1 to ${MOST_PATTERNS}`;
      return [{ path: ['longest'], message }];
    },
    source: {
      seenBy: ({ seenBy }) => seenBy,
      addsVolume: false,
      effort: (settings, basin) => 4 * patternCount(settings, basin),
      create: createStirring,
    },
  },
);
