import { kindSchema } from '../settings/index.ts';
import { defineForcing } from './definition.ts';

export const none = defineForcing(
  kindSchema(
    'none',
    { title: 'No forcing', description: 'Nothing falls during the run.', gist: 'Nothing falls during the run.' },
    {},
  ),
  {},
);
