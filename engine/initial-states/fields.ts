/** Settings that several kinds of initial states have, and drops that fall during the run. */
import { cellLength, choice, drawnFrom } from '../settings/index.ts';

export function amplitudeField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Amplitude', description, unit: 'm', minimum: -1000, maximum: 1000, default: standard });
}

export function widthField(description: string, standard = 10) {
  return cellLength({
    title: 'Width',
    description,
    unit: 'm',
    above: 0,
    maximum: 1e8,
    cells: standard,
    isInside: true,
  });
}

/** Whether drops change how much water there is. A file that does not say it means what it meant before there was the choice. */
export function volumeField() {
  return choice({
    title: 'Volume',
    description:
      'added: a drop adds its water to the basin. displaced: the water of a drop comes from the basin, whose level falls everywhere by as much, so that drops that fall for ever do not fill it. The waves are the same: a change of level alone moves nothing.',
    words: ['added', 'displaced'],
    default: 'added',
  });
}

/** @param description of the speed, m/s */
export function speedField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Speed', description, unit: 'm/s', minimum: -100, maximum: 100, default: standard });
}

/** @param of what is there */
export function placeField(axis: 'x' | 'y', of: string) {
  return drawnFrom({
    title: `Place along ${axis}`,
    description: `Place of ${of}, drawn from this range, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: [0.5, 0.5],
  });
}
