/**
 * What becomes of a command when its words cannot be written any more: it continues, since its work is worth more than they are.
 * A reader that has seen enough (`| head`), or a terminal that was closed, is no failure; a result that was lost is one.
 */
import { EXIT } from './context.ts';
import { systemReason, isSystemError } from './failure.ts';

/** Nobody reads on: the reader of a pipe has ended, or the terminal was closed. */
const NOBODY_READS = new Set(['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

interface Stream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

/**
 * Keeps errors of the two streams from ending the process. One line says that the result was lost, and the exit code is then
 * not 0.
 */
export function outliveOutput(
  stdout: Stream,
  stderr: Stream,
  ending: Pick<NodeJS.Process, 'exitCode'> & { on(event: 'exit', listener: () => void): unknown } = process,
): void {
  let isLost = false;
  stderr.on('error', () => undefined);
  stdout.on('error', (error) => {
    if (isLost || NOBODY_READS.has(error.code ?? '')) return;
    isLost = true;
    const why = isSystemError(error) ? systemReason(error) : error.message;
    stderr.write(`shoal: the result was lost: standard output: ${why}\n`);
  });
  // The command sets its own code when it is done, before or after an error comes.
  ending.on('exit', () => {
    if (isLost && (ending.exitCode === undefined || ending.exitCode === EXIT.done)) ending.exitCode = EXIT.failed;
  });
}
