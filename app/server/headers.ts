/** What every answer with a part of the application says about security, whether `app://` or the local server gives it. */

/** Only what ships with the application runs and loads, kernels in WebAssembly included; nothing inline, no text evaluated, nothing from elsewhere. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  'worker-src': "'self'",
  'style-src': "'self'",
  'font-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  'connect-src': "'self'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
  'object-src': "'none'",
};

/** What the development server needs beyond that: it puts styles into the page and reports changes over a socket. */
export interface Development {
  /** What the server's own styles are known by. */
  readonly nonce: string;
  /** Port of the server; its socket has the same. */
  readonly port: number;
}

function policyWhileDeveloping({ nonce, port }: Development): Readonly<Record<string, string>> {
  return {
    ...POLICY,
    'style-src': `'self' 'nonce-${nonce}'`,
    'connect-src': `'self' ws://127.0.0.1:${port} ws://localhost:${port}`,
  };
}

function policyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/**
 * The policy as a page can state it itself, if its host sets no headers: only headers can say that it is not to be framed.
 *
 * @public the site's build imports it by its path
 */
export function policyOfPage(): string {
  const { 'frame-ancestors': _byHeaderOnly, ...policy } = POLICY;
  return policyText(policy);
}

/** Headers for every answer. Isolation from other origins gives the page SharedArrayBuffer and exact clocks. */
export function securityHeaders(development?: Development): Record<string, string> {
  return {
    'Content-Security-Policy': policyText(development ? policyWhileDeveloping(development) : POLICY),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), payment=()',
  };
}
