/**
 * `npm run dev`: the application from its sources, which shows what is changed as soon as it is. Where Electron's runtime and
 * a display are, electron-vite runs it: main process and preload script are built and started again, the page is loaded
 * again. Elsewhere the page is served to a browser.
 */
import { join } from 'node:path';
import { forgetDesktop, loadConfiguration } from './desktop.mjs';

/** @returns the path of Electron's executable, or undefined where it is not or could show no window */
async function electronHere(root) {
  const { runnerImport } = await import('vite');
  const load = async (name) => (await runnerImport(join(root, 'app', 'server', name))).module;
  const { findElectron } = await load('electron.ts');
  const { hasDisplay, thisSystem } = await load('browser.ts');
  return hasDisplay(thisSystem) ? findElectron(root) : undefined;
}

/** Serves the page from its sources until it is interrupted. */
async function servePage(root) {
  const { createServer } = await import('vite');
  const { config, mode } = await loadConfiguration(root, 'serve');
  const server = await createServer({ ...config.renderer, configFile: false, mode });
  await server.listen();
  server.printUrls();
  await new Promise((resolve) => {
    process.once('SIGINT', resolve).once('SIGTERM', resolve);
  });
  await server.close();
  return 0;
}

/** @param runTool runs electron-vite, with more in its environment */
export async function develop(root, runTool) {
  const executable = await electronHere(root);
  if (executable === undefined) {
    process.stderr.write("shoal: no window here (Electron's runtime or a display is missing); for the browser:\n");
    return servePage(root);
  }
  forgetDesktop(root);
  return runTool({ ELECTRON_EXEC_PATH: executable });
}
