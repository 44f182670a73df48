/** Parameters that cases of several operators have. */
import { z } from 'zod';

/** Cells of a grid as numpy has them: [ny, nx]. */
export const gridShape = z.tuple([z.int().min(1), z.int().min(1)]);

/** A number above 0, finite. */
export const positive = z.number().positive();

/** Whether an axis is periodic. */
export const periodicity = z.boolean().default(false);

/** Iterations of a filter or steps of a model; the bound keeps a slip of the pen from running for days. */
export const iterations = z.int().min(1).max(100_000);
