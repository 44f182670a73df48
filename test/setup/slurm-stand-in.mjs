#!/usr/bin/env node
/**
 * Replaces Slurm's commands: linked under the names sbatch, squeue, sacct and scancel it takes a job's script, runs the array's
 * tasks on this machine, two at a time, and says what became of them in Slurm's words. Everything is kept in the folder
 * SLURM_STAND_IN; `behaviour.json` there says what goes wrong:
 *
 * - `refuse`: sbatch refuses the job, with these words
 * - `accounting: false`: the cluster keeps no accounting
 * - `unanswered`: so many questions to the queue go without an answer first
 * - `forgets`: the queue knows nothing of jobs once all of their tasks have ended
 * - `tasks`: by index, what happens at each try: `run` (as always after the last one), `hold` (waits until it is cancelled), or the
 *   state in which it is lost
 */
import { spawn } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const home = process.env.SLURM_STAND_IN;
const behaviour = existsSync(join(home, 'behaviour.json'))
  ? JSON.parse(readFileSync(join(home, 'behaviour.json'), 'utf8'))
  : {};
const [tool, args] = [basename(process.argv[1]), process.argv.slice(2)];
const AT_ONCE = 2;
const LAST = /^(COMPLETED|FAILED|CANCELLED|TIMEOUT|OUT_OF_MEMORY|NODE_FAIL|PREEMPTED)/;

const jobFolder = (job) => join(home, 'jobs', job);
const refuse = (words) => {
  process.stderr.write(`${tool}: error: ${words}\n`);
  process.exit(1);
};

/** A number that goes up by one each time it is asked for. */
function next(name) {
  const path = join(home, `count-${name}`);
  appendFileSync(path, '.');
  return readFileSync(path, 'utf8').length;
}

/** A task's state and exit code, `RUNNING|0:0|pid`, in a file of its own. */
function put(job, task, state, exit = '0:0', pid = '') {
  const path = join(jobFolder(job), `task-${task}`);
  writeFileSync(`${path}.new`, `${state}|${exit}|${pid}`);
  renameSync(`${path}.new`, path);
}

function tasksOf(job) {
  if (!existsSync(jobFolder(job))) return [];
  return readdirSync(jobFolder(job))
    .filter((name) => /^task-\d+$/.test(name))
    .map((name) => {
      const [state, exit, pid] = readFileSync(join(jobFolder(job), name), 'utf8').split('|');
      return { task: Number(name.slice(5)), state, exit, pid };
    })
    .sort((a, b) => a.task - b.task);
}

function indicesOf(text) {
  return text.split(',').flatMap((word) => {
    const [first, last = first] = word.split('-').map(Number);
    return Array.from({ length: last - first + 1 }, (_, n) => first + n);
  });
}

function sbatch() {
  const script = readFileSync(args.at(-1), 'utf8');
  appendFileSync(join(home, 'submitted'), `${script}\0`);
  if (behaviour.refuse) refuse(behaviour.refuse);
  const [, array] = /^#SBATCH --array=([\d,-]+)/m.exec(script);
  const job = String(next('jobs'));
  mkdirSync(jobFolder(job), { recursive: true });
  writeFileSync(join(jobFolder(job), 'script'), script);
  for (const task of indicesOf(array)) put(job, task, 'PENDING');
  spawn(process.execPath, [process.argv[1], 'daemon', job], { detached: true, stdio: 'ignore' }).unref();
  process.stdout.write(`${job}\n`);
}

function runTask(job, task) {
  const happens = behaviour.tasks?.[task]?.[next(`task-${task}`) - 1] ?? 'run';
  if (happens === 'hold') return undefined;
  if (happens !== 'run') {
    put(job, task, happens, happens === 'FAILED' ? '1:0' : '0:0');
    return undefined;
  }
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', [join(jobFolder(job), 'script')], {
      env: { ...process.env, SLURM_ARRAY_JOB_ID: job, SLURM_ARRAY_TASK_ID: String(task) },
      stdio: 'ignore',
    });
    put(job, task, 'RUNNING', '0:0', String(child.pid));
    child.on('close', (code, signal) => {
      const { state } = tasksOf(job).find((known) => known.task === task);
      if (!LAST.test(state)) put(job, task, code === 0 ? 'COMPLETED' : 'FAILED', signal ? '0:9' : `${code}:0`);
      resolve();
    });
  });
}

async function daemon(job) {
  const waiting = tasksOf(job).map(({ task }) => task);
  const work = async () => {
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      const { state } = tasksOf(job).find((known) => known.task === task);
      if (state === 'PENDING') await runTask(job, task);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

/** Jobs that are asked for by `--jobs=`. */
function asked() {
  const word = args.find((each) => each.startsWith('--jobs='));
  return word.slice('--jobs='.length).split(',');
}

function squeue() {
  if (next('questions') <= (behaviour.unanswered ?? 0)) refuse('Unable to contact slurm controller (connect failure)');
  const known = asked().filter((job) => {
    const tasks = tasksOf(job);
    return tasks.length > 0 && !(behaviour.forgets && tasks.every(({ state }) => LAST.test(state)));
  });
  if (known.length === 0) refuse('slurm_load_jobs error: Invalid job id specified');
  for (const job of known) {
    for (const { task, state } of tasksOf(job)) process.stdout.write(`${job}|${task}|${state}|None\n`);
  }
}

function sacct() {
  if (behaviour.accounting === false) refuse('Slurm accounting storage is disabled');
  for (const job of asked()) {
    for (const { task, state, exit } of tasksOf(job)) {
      process.stdout.write(`${job}_${task}|${state}${state === 'CANCELLED' ? ' by 0' : ''}|${exit}\n`);
    }
  }
}

function scancel() {
  for (const word of args) {
    const [job, one] = word.split('_');
    for (const { task, state, pid } of tasksOf(job)) {
      if (LAST.test(state) || (one !== undefined && Number(one) !== task)) continue;
      put(job, task, 'CANCELLED');
      if (pid !== '') process.kill(Number(pid), 'SIGTERM');
    }
  }
}

if (args[0] === 'daemon') await daemon(args[1]);
else ({ sbatch, squeue, sacct, scancel })[tool]();
