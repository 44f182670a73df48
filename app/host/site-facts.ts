/** Sites of static hosts (`npm run site`), as pages know them. */

/** Facts about the site that a page came from. */
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
