/** Which WebGPU adapter this machine has, found out in a process of its own. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { AdapterSummary } from '../../engine/index.ts';
import type { Installation } from './context.ts';

const LONGEST_PROBE_MILLISECONDS = 20_000;

/**
 * @param environment variables beside those of this process, such as those by which SwiftShader is found
 * @returns the adapter that a backend would get, or undefined if there is none or its driver does not work
 */
export function findAdapter(
  installation: Installation,
  environment: Readonly<Record<string, string>> = {},
): Promise<AdapterSummary | undefined> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [join(installation.bundleFolder, 'adapter-probe.js')], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: LONGEST_PROBE_MILLISECONDS,
    });
    let said = '';
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    child.on('error', () => resolve(undefined));
    child.on('close', (code) => resolve(code === 0 ? parseSummary(said) : undefined));
  });
}

function parseSummary(text: string): AdapterSummary | undefined {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
