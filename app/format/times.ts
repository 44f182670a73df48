/** Times as people read them, in widths that do not jump. */
import type { World } from '../fields/fields.ts';

/** Decimals of a time that has no unit: steps of a twentieth are distinguishable. */
const DECIMALS_WITHOUT_UNIT = 2;

/**
 * @param world a ring's times have no unit
 * @returns model time with a unit that suits it; tenths of seconds below a minute's worth of thousands
 */
export function formatModelTime(seconds: number, world?: World): { readonly text: string; readonly unit: string } {
  if (world?.isRing) return { text: seconds.toFixed(DECIMALS_WITHOUT_UNIT), unit: '' };
  const size = Math.abs(seconds);
  if (size < 10_000) return { text: seconds.toFixed(1), unit: 's' };
  if (size < 172_800) return { text: (seconds / 3600).toFixed(2), unit: 'h' };
  return { text: (seconds / 86_400).toFixed(2), unit: 'd' };
}

/** @returns how long something takes, as `3 s`, `2 min 10 s` or `1 h 5 min` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** @returns bytes in the binary unit that suits them */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}

/** @returns words in which no line ends between a number and its unit, or its percent sign */
export function unbroken(words: string): string {
  return words.replaceAll(/(\d) (?=%|m\b|s\b)/g, '$1\u00a0');
}
