/**
 * Numbers that somebody asked for, in place of a field: a plane for each method, whose words, range and colours come with it
 * (`shown-planes.ts`). One only colours the water, the other lifts it too.
 */
import { defineField } from './field.ts';

const asked = {
  title: 'Answer',
  symbol: 'a',
  unit: '1',
  description: 'Numbers that were asked for, in place of the field.',
  scale: 'diverging',
  colourMap: 'diverging',
  ofTruth: false,
  isWater: false,
  scoredBy: [],
} as const;

export const shown = defineField({ ...asked, id: 'shown', value: (cell) => cell.elevation('shown') });

export const shownLifted = defineField({
  ...asked,
  id: 'shown-lifted',
  value: (cell) => cell.elevation('shown'),
  lift: 'value',
});
