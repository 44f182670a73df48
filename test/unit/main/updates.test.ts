/** New versions: nothing happens that was not asked for. */
import { describe, expect, it } from 'vitest';
import { createUpdates } from '../../../app/main/updates.ts';
import type { Updater } from '../../../app/main/updates.ts';

/** A feed with a version, or none that is newer; users press the buttons in order. */
function surroundings(version: string | undefined, presses: readonly number[], fails?: string) {
  const log: string[] = [];
  const left = [...presses];
  const updater: Updater = {
    autoDownload: true,
    autoInstallOnAppQuit: true,
    async checkForUpdates() {
      log.push(`check, downloads by itself: ${updater.autoDownload || updater.autoInstallOnAppQuit}`);
      if (fails !== undefined) throw new Error(`${fails}\nat a place`);
      return version === undefined ? null : { isUpdateAvailable: true, updateInfo: { version } };
    },
    async downloadUpdate() {
      log.push('download');
    },
    quitAndInstall: () => void log.push('install'),
  };
  const update = createUpdates({
    load: async () => updater,
    async ask(message, detail, buttons) {
      log.push(`${message} [${buttons.join(', ')}]`);
      if (fails !== undefined) log.push(detail);
      return left.shift() ?? 0;
    },
  });
  return { log, update };
}
const CHECK = 'check, downloads by itself: false';
const AVAILABLE = 'Version 2.0.0 is available [Later, Download]';
const READY = 'Version 2.0.0 is ready [Later, Restart]';

describe('looking for a new version', () => {
  it.each([
    ['says that there is none', undefined, [], [CHECK, 'Shoal is up to date [Close]']],
    ['downloads nothing unless users want it', '2.0.0', [0], [CHECK, AVAILABLE]],
    ['installs nothing unless users want it', '2.0.0', [1, 0], [CHECK, AVAILABLE, 'download', READY]],
    ['downloads and installs', '2.0.0', [1, 1], [CHECK, AVAILABLE, 'download', READY, 'install']],
  ])('%s', async (_what, version, presses, expected) => {
    const { log, update } = surroundings(version, presses);
    await update();
    expect(log).toEqual(expected);
  });

  it('says in a line why it failed, and can be asked again', async () => {
    const { log, update } = surroundings('2.0.0', [], 'no network');
    await update();
    await update();
    const once = [CHECK, 'The update failed [Close]', 'no network Nothing was changed.'];
    expect(log).toEqual([...once, ...once]);
  });

  it('does not look twice at once', async () => {
    const { log, update } = surroundings(undefined, []);
    await Promise.all([update(), update()]);
    expect(log).toHaveLength(2);
  });
});
