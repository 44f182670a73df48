/** The scenario's hidden truth, and the background ensemble that starts beside it. */
import { z } from 'zod';
import { choice, count, drawnFrom, fileName, kind, optionalSection, quantity, section } from '../settings/index.ts';

const amplitude = (description: string, standard: readonly [number, number]) =>
  drawnFrom({ title: 'Amplitude', description, unit: 'm', minimum: -1000, maximum: 1000, default: standard });

const place = (axis: 'x' | 'y', of: string, standard: readonly [number, number] = [0.5, 0.5]) =>
  drawnFrom({
    title: `Place along ${axis}`,
    description: `Place of ${of}, drawn from this range, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: standard,
  });

const width = (description: string, standard = 10) =>
  quantity({ title: 'Width', description, unit: 'm', above: 0, maximum: 1e8, default: standard });

const DROP_WIDTH = 'A drop raises the water by a·exp(−5 r²/width²) at distance r from its centre.';

const drops = section(
  { title: 'Water drops', description: 'Bumps of water at random places, half a width or more away from the walls.' },
  {
    kind: kind('drops', 'Bumps of water at random places.'),
    count: count({ title: 'Drops', description: 'Number of drops.', minimum: 1, maximum: 10_000, default: 6 }),
    amplitude: amplitude('Height a of each drop, drawn from this range.', [0.1, 0.5]),
    width: width(DROP_WIDTH),
  },
);

const damBreak = section(
  {
    title: 'Dam break',
    description: 'Water at rest, higher before a straight dam than behind it; the dam is gone at once.',
  },
  {
    kind: kind('dam-break', 'A straight dam that is gone at once.'),
    axis: choice({ title: 'Axis', description: 'Axis across the dam.', words: ['x', 'y'], default: 'x' }),
    amplitude: amplitude(
      'Height of the surface before the dam, above the water at rest, drawn from this range.',
      [0.5, 0.5],
    ),
    position: drawnFrom({
      title: 'Place of the dam',
      description: 'Drawn from this range, as a share of the basin’s length along the axis.',
      minimum: 0,
      maximum: 1,
      default: [0.5, 0.5],
    }),
  },
);

const jet = section(
  {
    title: 'Jet',
    description:
      'Currents along x with the profile speed·sech²((y − y₀)/width), in geostrophic balance, with as much water as at rest; two run against each other. Where y is periodic, less a uniform return current Σ f u/Σ f, so that the surface closes.',
  },
  {
    kind: kind('jet', 'Balanced currents along x.'),
    count: count({
      title: 'Jets',
      description: 'One jet in the middle of the basin, or two, at 1/4 and 3/4, the second one running backwards.',
      minimum: 1,
      maximum: 2,
      default: 2,
    }),
    speed: drawnFrom({
      title: 'Speed',
      description: 'Speed in the middle of each jet, drawn from this range.',
      unit: 'm/s',
      minimum: -100,
      maximum: 100,
      default: [3, 3],
    }),
    width: width('Distance from the middle at which the speed has fallen to sech²(1) = 0.42 of it.'),
    shift: drawnFrom({
      title: 'Shift',
      description: 'Displacement of each jet along y, drawn from this range.',
      unit: 'm',
      minimum: -1e8,
      maximum: 1e8,
      default: [0, 0],
    }),
  },
);

const vortex = section(
  { title: 'Vortex', description: 'Round vortices in balance with gravity, Coriolis and centrifugal force.' },
  {
    kind: kind('vortex', 'Balanced round vortices.'),
    count: count({ title: 'Vortices', description: 'Number of vortices.', minimum: 1, maximum: 100, default: 1 }),
    speed: drawnFrom({
      title: 'Speed',
      description:
        'Greatest speed, at distance radius from the centre, drawn from this range; below zero turns clockwise.',
      unit: 'm/s',
      minimum: -100,
      maximum: 100,
      default: [0.5, 0.5],
    }),
    radius: quantity({
      title: 'Radius',
      description: 'Distance of the greatest speed from the centre.',
      unit: 'm',
      above: 0,
      maximum: 1e8,
      default: 6,
    }),
    x: place('x', 'each centre'),
    y: place('y', 'each centre'),
  },
);

const standingWave = section(
  { title: 'Standing wave', description: 'Surface a·cos(mπx/Lx)·cos(nπy/Ly), the water at rest.' },
  {
    kind: kind('standing-wave', 'A standing wave.'),
    modes: z
      .tuple([z.int().min(0).max(1000), z.int().min(0).max(1000)])
      .default([1, 1])
      .meta({ title: 'Modes', description: 'Half waves m along x and n along y.' }),
    amplitude: amplitude('Height a of the wave, drawn from this range.', [0.1, 0.1]),
  },
);

const rest = section(
  { title: 'Rest', description: 'A flat surface and no current.' },
  { kind: kind('rest', 'A flat surface and no current.') },
);

const initialFile = section(
  { title: 'From a file', description: 'Depth and momenta from an array beside the scenario.' },
  {
    kind: kind('file', 'Depth and momenta from an array of shape [3, ny, nx].'),
    file: fileName({
      title: 'File',
      description: 'A .npy array [3, ny, nx] of depth h (m) and momenta hu and hv (m²/s).',
    }),
  },
);

const asTruth = section(
  {
    title: 'The truth',
    description:
      'The truth’s own initial state before truth.perturbation; with perturbations of one size the truth is like a member.',
  },
  { kind: kind('truth', 'The truth’s own initial state before its perturbation.') },
);

const states = [drops, damBreak, jet, vortex, standingWave, rest, initialFile] as const;

const perturbation = (whose: string) =>
  optionalSection(
    { title: 'Perturbation', description: `Random smooth waves on top of ${whose}.` },
    {
      standardDeviation: quantity({
        title: 'Standard deviation',
        description: 'Of the surface’s elevation, at every place; 0 for no perturbation.',
        unit: 'm',
        minimum: 0,
        maximum: 1000,
        default: 0,
      }),
      length: quantity({
        title: 'Length',
        description: 'L of the perturbation’s correlation exp(−r²/2L²) at distance r.',
        unit: 'm',
        above: 0,
        maximum: 1e8,
        default: 5,
      }),
      balance: choice({
        title: 'Balance',
        description:
          'geostrophic: the currents that the Coriolis force would balance come with the perturbation of the surface.',
        words: ['none', 'geostrophic'],
        default: 'none',
      }),
    },
  );

const noForcing = section(
  { title: 'No forcing', description: 'Nothing falls during the run.' },
  { kind: kind('none', 'Nothing falls during the run.') },
);

const fallingDrops = section(
  { title: 'Falling drops', description: 'Drops that fall at random places during the run.' },
  {
    kind: kind('drops', 'Drops that fall at random places during the run.'),
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
    amplitude: amplitude('Height of each drop, drawn from this range.', [0.1, 0.3]),
    width: width(DROP_WIDTH),
    seenBy: choice({
      title: 'Seen by',
      description:
        'truth: the truth alone, a model error. all: truth and members alike. each: the truth and every member have drops of their own.',
      words: ['truth', 'all', 'each'],
      default: 'truth',
    }),
  },
);

const forcing = z
  .discriminatedUnion('kind', [noForcing, fallingDrops])
  .prefault({ kind: 'none' })
  .meta({ title: 'Forcing', description: 'What happens to the water during the run.' });

export const truthSchema = optionalSection(
  { title: 'Truth', description: 'The run that observations are made of and errors are measured against.' },
  {
    initial: z
      .discriminatedUnion('kind', states)
      .prefault({ kind: 'drops' })
      .meta({ title: 'Initial state', description: 'The state from which the truth starts.' }),
    perturbation: perturbation('the initial state'),
    spinup: quantity({
      title: 'Spin-up',
      description: 'Time run before the first cycle, by truth, background and members alike.',
      unit: 's',
      minimum: 0,
      maximum: 1e9,
      default: 0,
    }),
    forcing,
  },
);

export const backgroundSchema = optionalSection(
  {
    title: 'Background',
    description:
      'The ensemble before the first observation, drawn independently of the truth. A deterministic method starts from its mean.',
  },
  {
    initial: z
      .discriminatedUnion('kind', [...states, asTruth])
      .prefault({ kind: 'drops' })
      .meta({
        title: 'Initial state',
        description: 'The state from which each member starts, with its own random draws.',
      }),
    perturbation: perturbation('each member’s initial state'),
    members: count({
      title: 'Members',
      description: 'States in the ensemble.',
      minimum: 1,
      maximum: 4096,
      default: 20,
    }),
  },
);
