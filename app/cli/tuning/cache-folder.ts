/** Where this system keeps what programs can make again: the folder of ours in it. */
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** What the place depends on. */
export interface CacheSystem {
  readonly platform: NodeJS.Platform;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly home: string;
}

/** The value of a variable, where it is an absolute path: others are to be ignored [XDG Base Directory Specification]. */
function folderIn(environment: CacheSystem['environment'], name: string): string | undefined {
  const value = environment[name];
  return value !== undefined && isAbsolute(value) ? value : undefined;
}

/** @returns the folder, which need not be there */
export function cacheFolder(
  { platform, environment, home }: CacheSystem = {
    platform: process.platform,
    environment: process.env,
    home: homedir(),
  },
): string {
  if (platform === 'win32') {
    return join(folderIn(environment, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local'), 'shoal', 'Cache');
  }
  const others = platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
  return join(folderIn(environment, 'XDG_CACHE_HOME') ?? others, 'shoal');
}
