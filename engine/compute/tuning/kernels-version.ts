/** The version of all kernels: a hash of their sources, made when the program is built (`app/cli/bootstrap/kernels.mjs`). */
import version from 'virtual:shoal-kernels/version';

export function kernelsVersion(): string {
  return version;
}
