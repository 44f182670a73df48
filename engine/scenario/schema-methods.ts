/** The scenario's assimilation methods, as `engine/methods` defines them. */
import { z } from 'zod';
import { METHODS } from '../methods/index.ts';
import { kindUnion } from '../settings/index.ts';

export const methodSchema = kindUnion(METHODS)
  // Always last, whether it was written or not: the same settings are then the same text, too.
  .transform(({ label, ...method }) => ({ ...method, label: label ?? method.kind }))
  .meta({ title: 'Method', description: 'One assimilation method with its settings.' });

export const methodListSchema = z
  .array(methodSchema)
  .min(1)
  .max(32)
  .prefault([{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf' }])
  .meta({
    title: 'Methods',
    description: 'The methods that are compared, any number, also one kind twice with other settings and a label.',
  });
