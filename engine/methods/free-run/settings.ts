/** The settings of the free run. */
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';

export const freeRunSchema = methodSchema(
  'free-run',
  {
    title: 'Free run',
    description: 'The ensemble without assimilation; its mean is compared.',
    gist: 'No assimilation.',
  },
  {},
);

export type FreeRunSettings = SettingsOf<typeof freeRunSchema>;
