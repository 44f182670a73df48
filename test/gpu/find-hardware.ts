/**
 * Runs before the journeys on a GPU: says on which one, or why they are skipped. SHOAL_GPU_ANY=true takes SwiftShader for a GPU,
 * so that the journeys can be tried on a machine without one; their figures then mean nothing.
 */
import { hasChromium } from '../e2e/desktop/chromium.ts';
import { adapterOf, launchOnHardware } from './hardware-chromium.ts';

async function found(): Promise<string | undefined> {
  if (!hasChromium) return undefined;
  const browser = await launchOnHardware();
  try {
    return await adapterOf(browser);
  } finally {
    await browser.close();
  }
}

/** @returns why no GPU is available, in one line */
function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0];
}

export default async function findHardware(): Promise<void> {
  let why = 'a browser that can be unpacked here is for Linux on x64 alone';
  const adapter = await found().catch((error: unknown) => {
    why = reasonOf(error);
    return undefined;
  });
  process.env['SHOAL_TEST_GPU'] = adapter === undefined ? 'none' : 'hardware';
  process.stderr.write(adapter === undefined ? `test/gpu is skipped: ${why}\n` : `test/gpu on ${adapter}\n`);
}
