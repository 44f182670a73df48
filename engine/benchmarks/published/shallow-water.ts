/** What gpu-ocean has of second-order shallow water. */
import type { PublishedFigure } from './figure.ts';

/** @param cellSteps cells times steps of one run */
export function publishedShallowWater(cellSteps: number): readonly PublishedFigure[] {
  return [
    {
      value: 979,
      unit: 'Mcell-steps/s',
      largerIsBetter: true,
      hardware: 'P100',
      source: 'gpu-ocean, second-order rotating shallow water, RK2, 1024²',
      measured: (milliseconds) => cellSteps / milliseconds / 1000,
    },
  ];
}
