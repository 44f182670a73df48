/** What is asked of a cluster: the text of a job's script, from options and estimates. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../../app/cli/context.ts';
import {
  jobScript,
  logPath,
  parseMebibytes,
  parseMinutes,
  parseSlurmOptions,
  requestTask,
  timeText,
} from '../../../../app/cli/slurm/request.ts';
import type { Job } from '../../../../app/cli/slurm/request.ts';

const job: Job = {
  name: 'inflation',
  logFolder: '/scratch/me/sweep/slurm',
  chunks: [1, 2, 3, 7],
  atOnce: undefined,
  request: { minutes: 90, mebibytes: 1200, cpus: 2, gres: '' },
  others: [],
  command: ['/usr/bin/node', '/opt/shoal/bootstrap.mjs', 'sweep', '/scratch/me/sweep.json'],
  chunkCount: 8,
};

describe('the script of a job', () => {
  it('asks for what the tasks need, and runs one chunk in each', () => {
    expect(jobScript(job)).toBe(`#!/bin/sh
#SBATCH --job-name="shoal inflation"
#SBATCH --array=1-3,7
#SBATCH --time=01:30:00
#SBATCH --mem=1200M
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=2
#SBATCH --output=/scratch/me/sweep/slurm/%A_%a.log
#SBATCH --requeue
#SBATCH --open-mode=append

exec /usr/bin/node /opt/shoal/bootstrap.mjs sweep /scratch/me/sweep.json --chunk "$SLURM_ARRAY_TASK_ID/8"
`);
  });

  it('limits the tasks at once, asks for devices, and hands options on', () => {
    const text = jobScript({
      ...job,
      atOnce: 4,
      request: { ...job.request, gres: 'gpu:1' },
      others: [
        ['partition', 'long'],
        ['exclusive', undefined],
        ['comment', 'say "hi" $HOME'],
      ],
    });
    expect(text).toContain('#SBATCH --array=1-3,7%4\n');
    expect(text).toContain('#SBATCH --gres=gpu:1\n');
    expect(text).toContain('#SBATCH --partition=long\n#SBATCH --exclusive\n');
    expect(text).toContain(String.raw`#SBATCH --comment="say \"hi\" $HOME"`);
  });

  it('keeps names whole, whatever is in them', () => {
    const odd = `/tmp/it's "a" $HOME 100% #1`;
    const text = jobScript({ ...job, logFolder: odd, command: ['printf', String.raw`%s\n`, odd, '`id`'] });
    expect(text).toContain(String.raw`#SBATCH --output="/tmp/it's \"a\" $HOME 100%% #1/%A_%a.log"`);
    const said = execFileSync('/bin/sh', { input: text, env: { PATH: process.env['PATH'], SLURM_ARRAY_TASK_ID: '7' } });
    expect(said.toString().split('\n')).toStrictEqual([odd, '`id`', '--chunk', '7/8', '']);
    expect(logPath(odd, '12', 3)).toBe(`${odd}/12_3.log`);
  });

  it.each(['/tmp/back\\slash', '/tmp/two\nlines'])('refuses a folder that Slurm cannot name: %j', (logFolder) => {
    expect(() => jobScript({ ...job, logFolder })).toThrow(UsageError);
  });
});

describe('options of Slurm', () => {
  it('take the place of what is estimated, and are handed on otherwise', () => {
    const given = [
      'time=1-12',
      'mem=3G',
      'cpus-per-task=8',
      'gres=gpu:a100:1',
      'partition=long',
      'exclusive',
      'mail-user=a=b',
    ];
    expect(parseSlurmOptions(given)).toStrictEqual({
      minutes: 36 * 60,
      mebibytes: 3072,
      cpus: 8,
      gres: 'gpu:a100:1',
      others: [
        ['partition', 'long'],
        ['exclusive', undefined],
        ['mail-user', 'a=b'],
      ],
    });
    expect(parseSlurmOptions([])).toStrictEqual({ others: [] });
  });

  it.each([
    ['--partition=long', 'without its dashes'],
    ['Partition=long', 'name=value'],
    ['array=1-4', '--chunk-size'],
    ['mem-per-cpu=1G', 'give mem'],
    ['time=soon', 'minutes, hours:minutes:seconds'],
    ['time=0', 'minutes, hours:minutes:seconds'],
    ['mem=lots', 'K, M, G or T'],
    ['cpus-per-task=0', '1 to 9999'],
    ['comment=two\nlines', 'without line breaks'],
    [`comment=${'x'.repeat(1025)}`, 'at most 1024 characters'],
  ])('refuse %j, saying what is allowed', (word, allowed) => {
    expect(() => parseSlurmOptions([word])).toThrow(UsageError);
    expect(() => parseSlurmOptions([word])).toThrow(allowed);
  });

  it.each([
    ['90', 90],
    ['0:30', 1],
    ['1:30:01', 91],
    ['2-0', 2880],
    ['1-2:30', 26 * 60 + 30],
    ['1-00:00:59', 1441],
    ['1:2:3:4', undefined],
    ['-5', undefined],
  ])('read the time %s as minutes, rounded up', (text, minutes) => {
    expect(parseMinutes(text)).toBe(minutes);
  });

  it.each([
    ['512', 512],
    ['1500K', 2],
    ['2g', 2048],
    ['1T', 2 ** 20],
    ['1.5G', undefined],
  ])('read the memory %s as mebibytes, rounded up', (text, mebibytes) => {
    expect(parseMebibytes(text)).toBe(mebibytes);
  });
});

describe('what a task asks for', () => {
  const workload = { chunkSeconds: 600, caseSeconds: 30, caseBytes: 100 * 2 ** 20 };

  it('is four times the estimate and five minutes to start, and room for each worker', () => {
    // Two workers of one core each: 600 s of two cores are 600 s of them.
    expect(requestTask(workload, 'wasm', { others: [] })).toStrictEqual({
      minutes: 5 + 40,
      mebibytes: 384 + 2 * (384 + 200),
      cpus: 2,
      gres: '',
    });
  });

  it('is not less time than the longest case, however many workers there are', () => {
    const { minutes } = requestTask({ ...workload, caseSeconds: 590 }, 'reference', { cpus: 64, others: [] });
    expect(minutes).toBe(5 + Math.ceil((4 * 590) / 60));
  });

  it('is one worker and one device on a GPU', () => {
    expect(requestTask(workload, 'webgpu', { others: [] })).toStrictEqual({
      minutes: 45,
      mebibytes: 384 + 384 + 200,
      cpus: 2,
      gres: 'gpu:1',
    });
  });

  it('is what a user gives', () => {
    const given = { minutes: 7, mebibytes: 100, cpus: 3, gres: '' };
    expect(requestTask(workload, 'webgpu', { ...given, others: [] })).toStrictEqual(given);
  });

  it.each([
    [1, '00:01:00'],
    [1439, '23:59:00'],
    [1441, '1-00:01:00'],
  ])('is written as Slurm has times: %d min is %s', (minutes, text) => {
    expect(timeText(minutes)).toBe(text);
    expect(parseMinutes(text)).toBe(minutes);
  });
});
