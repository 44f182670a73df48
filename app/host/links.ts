/** Links to what a laboratory shows: in the address of the page, after the sign #, which is not sent to the server; or pasted. */

/** Facts about the static site (`npm run site`) that a page came from. */
export interface SiteFacts {
  /** Why the page is not isolated from other origins, so that threads cannot share memory; undefined where they can. */
  readonly limitation: string | undefined;
}

/** @returns what the site's first script (app/site/start.ts) wrote into the page; undefined where it came from elsewhere */
export function siteFactsOf({ documentElement }: Document): SiteFacts | undefined {
  const written = documentElement.dataset['site'];
  return written === undefined ? undefined : { limitation: written === '' ? undefined : written };
}

/** The site that this program was built to lead to: `homepage` of package.json; undefined if there is none. */
export function siteAddress(): string | undefined {
  const address: unknown = import.meta.env.SHOAL_SITE;
  return typeof address === 'string' && address !== '' ? address : undefined;
}

/** What a link begins with; its version and its content follow. */
export const LINK_BEGINNING = '#shoal=';

const LINK = /#shoal=\S*/;
/** What has the keyboard's text for itself. */
const EDITABLE = 'input, textarea, select, [contenteditable]';

/** @returns the link in a text that the user pasted, or in an address, from its sign # on */
export function linkIn(text: string): string | undefined {
  return LINK.exec(text)?.[0];
}

/** The part of the page's window that is used. */
export type LinkWindow = EventTarget & { readonly location: Pick<Location, 'hash'> };

/** Listens for links that come into the page's address, or are pasted anywhere but into a field. @returns what ends it */
export function listenForLinks(view: LinkWindow, listener: (link: string) => void): () => void {
  const look = (): void => {
    const link = linkIn(view.location.hash);
    if (link !== undefined) listener(link);
  };
  const take = (event: Event): void => {
    const { target, clipboardData } = event as ClipboardEvent;
    if (typeof Element !== 'undefined' && target instanceof Element && target.matches(EDITABLE)) return;
    const link = linkIn(clipboardData?.getData('text/plain') ?? '');
    if (link === undefined) return;
    event.preventDefault();
    listener(link);
  };
  view.addEventListener('hashchange', look);
  view.addEventListener('paste', take);
  return () => {
    view.removeEventListener('hashchange', look);
    view.removeEventListener('paste', take);
  };
}
