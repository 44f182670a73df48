/** Another program in this one's place: it has the terminal, and the signals that come meanwhile are handed on to it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program to its end.
 *
 * @param command its executable
 * @param args its words
 * @param environment instead of this process's
 * @param hear is handed what it writes, instead of this process's terminal
 * @returns its exit code, which is 128 and its number after a signal; the signal that ended it, or null; whether it was handed one
 * @throws Error where it cannot be started
 */
export async function runInItsPlace(command, args, { cwd, environment, hear } = {}) {
  let child;
  let interrupted = false;
  const forward = (signal) => {
    interrupted = true;
    child.kill(signal);
  };
  // Registered before the program starts: the user may press Ctrl-C as soon as it has said something.
  for (const signal of SIGNALS) process.on(signal, forward);
  try {
    child = spawn(command, args, { cwd, env: environment, stdio: hear ? ['ignore', 'pipe', 'pipe'] : 'inherit' });
    if (hear) for (const stream of [child.stdout, child.stderr]) stream.on('data', hear);
    const [code, signal] = await once(child, 'close');
    return { code: code ?? 128 + constants.signals[signal], signal, interrupted };
  } finally {
    for (const signal of SIGNALS) process.off(signal, forward);
  }
}
