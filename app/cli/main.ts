/** The command line's entry: parses, runs one command, and turns what comes back into an exit code. */
import { CommanderError } from 'commander';
import type { Installation } from './context.ts';
import { EXIT } from './context.ts';
import { describeFailure } from './failure.ts';
import { outliveOutput } from './output-streams.ts';
import { createProgram } from './program.ts';

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
