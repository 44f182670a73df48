/** Settings that several kinds of initial states have, and drops that fall during the run. */
import { cellLength, drawnFrom } from '../settings/index.ts';

export function amplitudeField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Amplitude', description, unit: 'm', minimum: -1000, maximum: 1000, default: standard });
}

export function widthField(description: string, standard = 10) {
  return cellLength({ title: 'Width', description, unit: 'm', above: 0, maximum: 1e8, cells: standard });
}

/** @param description of the speed, m/s */
export function speedField(description: string, standard: readonly [number, number]) {
  return drawnFrom({ title: 'Speed', description, unit: 'm/s', minimum: -100, maximum: 100, default: standard });
}

/** @param of what lies there */
export function placeField(axis: 'x' | 'y', of: string) {
  return drawnFrom({
    title: `Place along ${axis}`,
    description: `Place of ${of}, drawn from this range, as a share of the basin’s length along ${axis}.`,
    minimum: 0,
    maximum: 1,
    default: [0.5, 0.5],
  });
}
