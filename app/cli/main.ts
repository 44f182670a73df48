/** The command line's entry: parses, runs one command, and turns what comes back into an exit code. */
import { CommanderError } from 'commander';
import { EXIT, type Installation } from './context.ts';
import { describeFailure, systemReason, isSystemError } from './failure.ts';
import { createProgram } from './program.ts';

/** Nobody reads on: the reader of a pipe has ended, or the terminal was closed. */
const NOBODY_READS = new Set(['EPIPE', 'EIO', 'ENXIO', 'ECONNRESET', 'ERR_STREAM_DESTROYED']);

interface Stream {
  on(event: 'error', listener: (error: NodeJS.ErrnoException) => void): unknown;
  write(text: string): unknown;
}

/**
 * What becomes of a command when its words cannot be written any more: it continues, since its work is worth more than they are.
 * A reader that has seen enough (`| head`), or a terminal that was closed, is no failure; a result that was lost is one.
 *
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

/**
 * npm prints two lines on stdout before a script begins, which make one document of JSON two things.
 *
 * @param isTerminal whether people read stdout
 * @returns what to say about that; undefined if nothing
 */
export function npmBanner(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): string | undefined {
  const { npm_lifecycle_event: script, npm_config_loglevel: level } = environment;
  if (isTerminal || script !== 'shoal' || level === 'silent' || !argv.includes('--json')) return undefined;
  return 'shoal: npm has printed two lines before the JSON document; npm run --silent shoal -- … leaves them off';
}

/**
 * @param argv the arguments after the program's name
 * @returns when the command is done; the exit code is in process.exitCode
 */
export async function main(argv: readonly string[], installation: Installation): Promise<void> {
  outliveOutput(process.stdout, process.stderr);
  const verbose = argv.includes('--verbose');
  const banner = npmBanner(argv, process.env, process.stdout.isTTY);
  if (banner !== undefined) process.stderr.write(`${banner}\n`);
  if (verbose) process.setSourceMapsEnabled(true);
  try {
    process.exitCode = await createProgram(argv, installation).run();
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) {
      process.exitCode = EXIT.done;
      return;
    }
    const { lines, exitCode } = describeFailure(error);
    for (const line of lines) process.stderr.write(`shoal: ${line}\n`);
    if (verbose && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = exitCode;
  }
}
