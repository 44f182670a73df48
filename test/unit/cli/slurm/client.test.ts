/** Slurm's commands as processes: what they are asked, and what becomes of their words. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SlurmError } from '../../../../app/cli/context.ts';
import { createSlurm } from '../../../../app/cli/slurm/client.ts';
import { createSlurmStandIn } from '../../../setup/slurm.ts';
import type { SlurmStandIn } from '../../../setup/slurm.ts';

let folder = '';
let standIn: SlurmStandIn;
let script = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal slurm '));
  mkdirSync(join(folder, 'stand-in'));
  standIn = createSlurmStandIn(join(folder, 'stand-in'));
  for (const [name, value] of Object.entries(standIn.environment)) vi.stubEnv(name, value);
  script = join(folder, "it's a job.sh");
  writeFileSync(script, '#!/bin/sh\n#SBATCH --array=1-2\nexit 3\n');
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

describe('Slurm', () => {
  it('takes a job, reports its tasks, and ends them', async () => {
    standIn.behave({ tasks: { 2: ['hold'] } });
    const slurm = createSlurm();
    const job = await slurm.submit(script);
    expect(job).toBe('1');
    await vi.waitFor(
      async () => {
        const states = await slurm.statesOf([job]);
        expect(states.get('1_1')).toStrictEqual({ kind: 'lost', loss: 'failed', exitCode: 3 });
        expect(states.get('1_2')?.kind).toBe('waiting');
      },
      { timeout: 20_000, interval: 50 },
    );
    await slurm.cancel([job]);
    expect((await slurm.statesOf([job])).get('1_2')).toMatchObject({ kind: 'lost', loss: 'cancelled' });
  });

  it('is believed by its accounting alone where the queue has forgotten a job, and the other way round', async () => {
    standIn.behave({ forgets: true, tasks: { 1: ['TIMEOUT'], 2: ['NODE_FAIL'] } });
    const slurm = createSlurm();
    const job = await slurm.submit(script);
    const lost = async (): Promise<void> => {
      const states = [...(await slurm.statesOf([job])).values()];
      expect(states).toMatchObject([
        { kind: 'lost', loss: 'time' },
        { kind: 'lost', loss: 'node' },
      ]);
    };
    await vi.waitFor(lost, { timeout: 20_000, interval: 50 });
    standIn.behave({ accounting: false });
    await lost();
  });

  it('says in its own words why it refuses, and why it does not answer', async () => {
    standIn.behave({ refuse: 'invalid partition specified: nowhere', unanswered: 1 });
    const slurm = createSlurm();
    await expect(slurm.submit(script)).rejects.toThrow(new SlurmError('sbatch: invalid partition specified: nowhere'));
    await expect(slurm.statesOf(['1'])).rejects.toThrow(
      new SlurmError('squeue: Unable to contact slurm controller (connect failure)'),
    );
  });

  it('is missed by name where it is not there', async () => {
    vi.stubEnv('PATH', folder);
    await expect(createSlurm().submit(script)).rejects.toThrow('sbatch is not on the PATH');
  });
});
