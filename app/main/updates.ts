/**
 * New versions, by electron-updater. It looks for them only if users ask, and only where the installer was made with the
 * address of a feed, which electron-builder writes into app-update.yml beside the application. Elsewhere there is no such item.
 */

/** What is used of electron-updater. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  checkForUpdates(): Promise<{
    readonly isUpdateAvailable: boolean;
    readonly updateInfo: { readonly version: string };
  } | null>;
  downloadUpdate(): Promise<unknown>;
  quitAndInstall(): void;
}

export interface UpdateSurroundings {
  readonly load: () => Promise<Updater>;
  /** Shows a message with buttons. @returns the number of the one that was pressed */
  readonly ask: (message: string, detail: string, buttons: readonly string[]) => Promise<number>;
}

const CLOSE = ['Close'];

/** @returns what the menu's item does: looks for a new version, downloads and installs it, asking before each */
export function createUpdates({ load, ask }: UpdateSurroundings): () => Promise<void> {
  let isBusy = false;
  const update = async (): Promise<void> => {
    const updater = await load();
    updater.autoDownload = false;
    updater.autoInstallOnAppQuit = false;
    const found = await updater.checkForUpdates();
    if (!found?.isUpdateAvailable) {
      await ask('Shoal is up to date', 'There is no newer version.', CLOSE);
      return;
    }
    const { version } = found.updateInfo;
    const wanted = await ask(
      `Version ${version} is available`,
      'It is downloaded now and installed when you restart.',
      ['Later', 'Download'],
    );
    if (wanted !== 1) return;
    await updater.downloadUpdate();
    const restart = await ask(`Version ${version} is ready`, 'Shoal closes, installs it and starts again.', [
      'Later',
      'Restart',
    ]);
    if (restart === 1) updater.quitAndInstall();
  };
  return async () => {
    if (isBusy) return;
    isBusy = true;
    try {
      await update();
    } catch (error) {
      const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
      await ask('The update failed', `${reason} Nothing was changed.`, CLOSE);
    } finally {
      isBusy = false;
    }
  };
}
