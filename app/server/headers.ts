/** What every answer with a part of the application says about security, whether `app://` or the local server gives it. */

/** Only what ships with the application runs and loads; nothing inline, nothing evaluated, nothing from elsewhere. */
const POLICY: Readonly<Record<string, string>> = {
  'default-src': "'none'",
  'script-src': "'self'",
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

/** Vite's development client puts styles into the page and talks over a socket. */
const POLICY_WHILE_DEVELOPING: Readonly<Record<string, string>> = {
  ...POLICY,
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': "'self' ws://127.0.0.1:* ws://localhost:*",
};

function policyText(policy: Readonly<Record<string, string>>): string {
  return Object.entries(policy)
    .map(([directive, sources]) => `${directive} ${sources}`)
    .join('; ');
}

/** Headers for every answer. Isolation from other origins gives the page SharedArrayBuffer and exact clocks. */
export function securityHeaders({ developing = false }: { readonly developing?: boolean } = {}): Record<
  string,
  string
> {
  return {
    'Content-Security-Policy': policyText(developing ? POLICY_WHILE_DEVELOPING : POLICY),
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=(), midi=(), payment=()',
  };
}
