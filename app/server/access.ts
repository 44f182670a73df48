/**
 * Who may read the page: who has its address. A secret is the first part of every path, so that other people on this machine,
 * whose programs reach the port too, and pages of other origins, which cannot read an address, get nothing. It is no cookie:
 * a browser sends those to every port of this machine, whoever listens there.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

const SECRET_BYTES = 32;

export interface Access {
  /** Path of the page. */
  readonly page: string;
  /** Path that leads to the page once: for a browser's command line, which everybody on this machine may be able to read. */
  readonly invitation: string;
  /** @returns what follows the secret, from its slash on; undefined for a path without the secret */
  pathBehindSecret(pathname: string): string | undefined;
  /** @returns whether a path is the invitation, which it is once */
  accept(pathname: string): boolean;
}

/** In a time that reveals nothing of where they differ, nor of how long the secret is. */
function isSame(given: string, secret: string): boolean {
  const [a, b] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a, b);
}

function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

export function createAccess(): Access {
  const secret = newSecret();
  const invitation = `/open/${newSecret()}`;
  let isOpen = true;
  return {
    page: `/${secret}/`,
    invitation,
    pathBehindSecret(pathname) {
      const [, first, ...rest] = pathname.split('/');
      return first !== undefined && rest.length > 0 && isSame(first, secret) ? `/${rest.join('/')}` : undefined;
    },
    accept(pathname) {
      const isAccepted = isOpen && isSame(pathname, invitation);
      if (isAccepted) isOpen = false;
      return isAccepted;
    },
  };
}
