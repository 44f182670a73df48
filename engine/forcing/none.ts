/** Nothing falls during the run. */
import { kindSchema } from '../settings/index.ts';
import { defineForcing } from './definition.ts';

const schema = kindSchema(
  'none',
  { title: 'No forcing', description: 'Nothing falls during the run.', gist: 'Nothing falls during the run.' },
  {},
);

export const none = defineForcing(schema, {});
