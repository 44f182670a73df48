/** The host that this page runs in, set once by main.tsx before anything is drawn. */
import type { Host } from '../../host/host.ts';

let current: Host | undefined;

export function setHost(host: Host): void {
  current = host;
}

/** @throws RangeError before the host is set */
export function host(): Host {
  if (!current) throw new RangeError('the host is not set yet; setHost comes first');
  return current;
}
