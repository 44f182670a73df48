/** `slurm/jobs.json` of a sweep's folder: which jobs run which chunks, so that they are found again after the command has ended. */
import { join } from 'node:path';
import { z } from 'zod';
import { ScenarioError, readJson } from '../../../engine/index.ts';
