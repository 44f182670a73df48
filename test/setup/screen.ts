/** A screen that nobody sees, and the programs that a machine has for one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Readable } from 'node:stream';

/** Pixels of the screen. */
const SIZE = '1440x900x24';

export interface Screen {
  /** For `DISPLAY`. */
  readonly display: string;
  /** The file in which the screen keeps its picture, in the format XWD. */
  readonly picture: string;
  end(): void;
}

/** Whether a command is a program on the PATH. */
export function isOnPath(command: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Starts an Xvfb, which must be on the PATH, on a display that is free. */
export async function startScreen(): Promise<Screen> {
  const folder = mkdtempSync(join(tmpdir(), 'shoal-screen-'));
  // Other users draw on it as well.
  chmodSync(folder, 0o755);
  const words = ['-displayfd', '3', '-screen', '0', SIZE, '-fbdir', folder, '-nocursor', '-nolisten', 'tcp'];
  const server = spawn('Xvfb', words, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] });
  const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer];
  return {
    display: `:${number.toString().trim()}`,
    picture: join(folder, 'Xvfb_screen0'),
    end() {
      server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
