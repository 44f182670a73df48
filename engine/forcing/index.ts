/**
 * Forcing: what happens to the water during the run, at the start of some cycles or at every step. Wind and tide are known in advance:
 * the stress on the surface, and what enters at a side.
 */
import type { z } from 'zod';
import { definitionsByKind, kindUnion, kindSchema, choice, count, boundaryOf, quantity } from '../settings/index.ts';
import type { DescribedKind } from '../settings/index.ts';
import {
  amplitudeField,
  drawDrops,
  DROP_WIDTH,
  dropProblems,
  volumeField,
  widthField,
} from '../initial-states/index.ts';
import { defineForcing, knownField, waterMask, type ForcingParts, type SeenBy } from './definition.ts';
import { stirring } from './stirring.ts';

/** Density of the water, kg/m³; sea water has less than 3 % more. */
const WATER_DENSITY = 1000;

/** @returns the mean of cos(ωt) over `seconds` after `from`, ω = 2π/period; 1 if the period is 0 */
function meanCosine(period: number, from: number, seconds: number): number {
  if (period === 0 || seconds === 0) return 1;
  const omega = (2 * Math.PI) / period;
  return (Math.sin(omega * (from + seconds)) - Math.sin(omega * from)) / (omega * seconds);
}

/** @returns the mean of sin(ωt) over `seconds` after `from` */
function meanSine(period: number, from: number, seconds: number): number {
  if (seconds === 0) return 0;
  const omega = (2 * Math.PI) / period;
  return (Math.cos(omega * from) - Math.cos(omega * (from + seconds))) / (omega * seconds);
}

/** ∂(hu)/∂t = … + τ/ρ over water: the momentum that enters through the surface is the same whatever the depth. */
const wind = defineForcing(
  kindSchema(
    'wind',
    {
      title: 'Wind',
      description: 'A wind drags the surface along: a stress τ over the water, ∂(hu)/∂t = … + τ/ρ with ρ = 1000 kg/m³.',
      gist: 'A wind drags the surface along.',
    },
    {
      stress: quantity({
        title: 'Stress',
        description: 'The largest stress τ of the wind; 0.1 N/m² is a fresh breeze.',
        unit: 'N/m²',
        minimum: 0,
        maximum: 1e6,
        default: 0.1,
      }),
      pattern: choice({
        title: 'Pattern',
        description:
          'constant: the same everywhere. gyre: along x, −τ·cos(2πy/L) over the basin’s length L along y, as between trade winds and westerlies.',
        words: ['constant', 'gyre'],
        default: 'constant',
      }),
      direction: quantity({
        title: 'Direction',
        description: 'Where a constant wind blows to: 0 along x, 90 along y.',
        unit: '°',
        minimum: -360,
        maximum: 360,
        default: 0,
      }),
      period: quantity({
        title: 'Period',
        description: 'Of the factor cos(2πt/period), averaged over each cycle; 0 for a steady wind.',
        unit: 's',
        minimum: 0,
        maximum: 1e12,
        default: 0,
      }),
      seenBy: knownField('a wind'),
    },
  ),
  {
    world: 'basin',
    source: {
      seenBy: ({ seenBy }) => seenBy,
      addsVolume: false,
      effort: () => 2,
      create({ stress, pattern, direction, period }, { grid, bed }) {
        const { nx, ny } = grid;
        const cells = nx * ny;
        const water = waterMask(bed);
        const rates = new Float64Array(3 * cells);
        const angle = (direction * Math.PI) / 180;
        const across = pattern === 'constant' ? Math.sin(angle) : 0;
        /** Along x, of the largest stress, at a row: the walls are half a cell beyond the first and last centres. */
        const along = (row: number): number =>
          pattern === 'constant' ? Math.cos(angle) : -Math.cos((2 * Math.PI * (row + 0.5)) / ny);
        return {
          rates({ from, seconds }) {
            const momentum = (stress / WATER_DENSITY) * meanCosine(period, from, seconds);
            for (let cell = 0; cell < cells; cell++) {
              rates[cells + cell] = momentum * along(Math.floor(cell / nx)) * water[cell];
              rates[2 * cells + cell] = momentum * across * water[cell];
            }
            return rates;
          },
        };
      },
    },
  },
);

const SIDES = ['west', 'east', 'south', 'north'] as const;

type Side = (typeof SIDES)[number];

/** Across x or across y. */
function axisOf(side: Side): 'x' | 'y' {
  return side === 'west' || side === 'east' ? 'x' : 'y';
}

/**
 * Water that flows in and out through a wall, q = a·√(gH)·sin(2πt/T) m²/s: that of a wave of amplitude a which enters a basin of depth
 * H. It raises the outermost cells by q/dx a second, so that no momentum comes with it: an error of second order in a/H.
 */
const tide = defineForcing(
  kindSchema(
    'tide',
    {
      title: 'Tide',
      description:
        'Water flows in and out through one side, a·√(gH)·sin(2πt/T) per metre of it, H the depth at rest: as much as a wave of amplitude a brings.',
      gist: 'Water flows in and out through one side.',
    },
    {
      side: choice({
        title: 'Side',
        description: 'Where the tide enters: west and east are the ends of x, south and north those of y.',
        words: SIDES,
        default: 'west',
      }),
      amplitude: quantity({
        title: 'Amplitude',
        description: 'The amplitude a of the wave that enters; what comes back from the other sides is on top.',
        unit: 'm',
        minimum: 0,
        maximum: 1000,
        default: 0.05,
      }),
      period: quantity({
        title: 'Period',
        description: 'T, from one high water to the next; the flow is averaged over each cycle.',
        unit: 's',
        above: 0,
        maximum: 1e12,
        default: 44_700,
      }),
      seenBy: knownField('a tide'),
    },
  ),
  {
    world: 'basin',
    problems({ side }, { model }) {
      const axis = axisOf(side);
      const found = boundaryOf(model)[axis];
      if (found === 'wall') return [];
      const message = `found "${side}" where model.boundary.${axis} is "${found}", allowed: a side with a wall, through which the tide alone flows`;
      return [{ path: ['side'], message }];
    },
    source: {
      seenBy: ({ seenBy }) => seenBy,
      addsVolume: true,
      effort: () => 1,
      create({ side, amplitude, period }, { grid, bed, gravity }) {
        const { nx, ny, dx, dy } = grid;
        const rates = new Float64Array(3 * nx * ny);
        const isAlongX = axisOf(side) === 'x';
        const isFirst = side === 'west' || side === 'south';
        const last = isAlongX ? nx - 1 : (ny - 1) * nx;
        const outermost = Array.from({ length: isAlongX ? ny : nx }, (_, place) => {
          const line = isAlongX ? place * nx : place;
          return line + (isFirst ? 0 : last);
        });
        return {
          rates({ from, seconds }) {
            const share = meanSine(period, from, seconds);
            for (const cell of outermost) {
              const depth = Math.max(0, -bed[cell]);
              rates[cell] = (amplitude * Math.sqrt(gravity * depth) * share) / (isAlongX ? dx : dy);
            }
            return rates;
          },
        };
      },
    },
  },
);

export type { Interval, SeenBy, Source } from './definition.ts';

const drops = defineForcing(
  kindSchema(
    'drops',
    {
      title: 'Falling drops',
      description: 'Drops that fall at random places during the run.',
      gist: 'Drops that fall at random places during the run.',
    },
    {
      every: count({
        title: 'Every',
        description: 'Cycles between two falls; the first is at the start of the first cycle.',
        unit: 'cycles',
        minimum: 1,
        maximum: 1e6,
        default: 5,
      }),
      count: count({
        title: 'Drops',
        description: 'Number of drops at each fall.',
        minimum: 1,
        maximum: 10_000,
        default: 1,
      }),
      amplitude: amplitudeField('Height of each drop, drawn from this range.', [0.1, 0.3]),
      width: widthField(DROP_WIDTH),
      volume: volumeField(),
      seenBy: choice({
        title: 'Seen by',
        description:
          'truth: the truth alone, a model error. all: truth and members alike. each: the truth and every member have drops of their own.',
        words: ['truth', 'all', 'each'],
        default: 'truth',
      }),
    },
  ),
  {
    world: 'basin',
    problems: dropProblems,
    events: {
      every: (settings) => settings.every,
      seenBy: (settings) => settings.seenBy,
      addsVolume: ({ volume }) => volume === 'added',
      highest: (settings) => Math.max(0, ...settings.amplitude),
      lowers: (settings) => settings.volume === 'displaced' || settings.amplitude[0] < 0,
      features: (settings) => settings.count,
      draw: drawDrops,
    },
  },
);

const none = defineForcing(
  kindSchema(
    'none',
    { title: 'No forcing', description: 'Nothing happens during the run.', gist: 'Nothing happens during the run.' },
    {},
  ),
  {},
);

/** In the order in which a form offers them. */
export const FORCINGS = [none, drops, wind, stirring, tide] as const;

export const forcingField = kindUnion(FORCINGS)
  .prefault({ kind: 'none' })
  .meta({ title: 'Forcing', description: 'What happens to the water during the run.' });

/** A forcing of the scenario, with every default filled in. */
type Forcing = z.output<typeof forcingField>;

/** @returns the definition of a kind, for settings of that kind. @throws RangeError for a kind that there is not */
export const forcingDefinition = definitionsByKind<ForcingParts<Forcing> & DescribedKind>(FORCINGS);

/** @returns who sees what acts or happens during the run; undefined if there is nothing */
export function forcingSeenBy(forcing: Forcing): SeenBy | undefined {
  const { events, source } = forcingDefinition(forcing.kind);
  return (events ?? source)?.seenBy(forcing);
}
