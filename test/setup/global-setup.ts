/**
 * Runs before the workers are forked: unless the machine brings a Vulkan driver of its own by VK_ICD_FILENAMES, or
 * SHOAL_TEST_GPU=hardware asks for the real one, the workers get SwiftShader.
 */
import { swiftShaderEnvironment } from '../../app/cli/adapters.ts';

export default async function globalSetup(): Promise<void> {
  if (process.env['SHOAL_TEST_GPU'] === 'hardware') return;
  const environment = await swiftShaderEnvironment();
  if (environment) Object.assign(process.env, environment);
}
