/** A flat surface and no current. */
import { kindSchema } from '../settings/index.ts';
import { defineInitialState } from './definition.ts';
import { atRest } from './flow.ts';

const schema = kindSchema(
  'rest',
  { title: 'Rest', description: 'A flat surface and no current.', gist: 'A flat surface and no current.' },
  {},
);

export const rest = defineInitialState(schema, {
  varies: () => false,
  draw: (_settings, { bed }) => atRest(new Float64Array(bed.length), bed),
});
