/**
 * Run as a process of its own: prints the WebGPU adapter of this machine as one line of JSON, `null` if there is none. A
 * driver that crashes or talks on stderr does it here, and not in the program that asked.
 */
import { summariseAdapter } from '../../engine/index.ts';
import { nodeGpu } from './adapters.ts';

async function probe(): Promise<string> {
  const gpu = await nodeGpu();
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  return JSON.stringify(adapter && summariseAdapter(adapter));
}

process.stdout.write(await probe(), () => process.exit(0));
