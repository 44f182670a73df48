/** The command line's entry: parses, runs one command, and turns what comes back into an exit code. */
import { CommanderError } from 'commander';
import type { Installation } from './context.ts';
import { EXIT } from './context.ts';
import { describeFailure } from './failure.ts';
import { createProgram } from './program.ts';

/** A reader that has seen enough (`| head`) ends the program quietly. */
function endQuietlyWhenPipeCloses(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(process.exitCode ?? EXIT.done);
  });
}

/**
 * @param argv the arguments after the program's name
 * @returns when the command is done; the exit code is in process.exitCode
 */
export async function main(argv: readonly string[], installation: Installation): Promise<void> {
  endQuietlyWhenPipeCloses(process.stdout);
  endQuietlyWhenPipeCloses(process.stderr);
  const verbose = argv.includes('--verbose');
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
