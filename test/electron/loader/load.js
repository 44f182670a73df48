/**
 * Loads the application whose folder is the first argument, as Electron's own default application does, which the runtime of
 * `runtime.mjs` lacks. It awaits the import: what has to be registered before Electron is ready is registered by then.
 */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { app } from 'electron';

const folder = resolve(process.argv.slice(1).find((word) => !word.startsWith('-')));
const { name, productName, version, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
app.setName(productName ?? name);
app.setVersion(version);
app.setAppPath(folder);
await import(pathToFileURL(join(folder, main)).href);
