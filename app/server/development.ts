/** The development server gives the page under the headers that it will have, but for what its own client needs. */
import { randomBytes } from 'node:crypto';
import type { Plugin } from 'vite';
import { securityHeaders } from './headers.ts';

export function developmentHeaders(): Plugin {
  const nonce = randomBytes(16).toString('base64url');
  return {
    name: 'shoal:development-headers',
    apply: 'serve',
    config: () => ({ html: { cspNonce: nonce } }),
    configureServer({ middlewares, httpServer }) {
      middlewares.use((_request, response, next) => {
        // The port is known once the server listens, before the first request.
        const address = httpServer?.address();
        const port = address && typeof address === 'object' ? address.port : 0;
        for (const [name, value] of Object.entries(securityHeaders({ nonce, port }))) response.setHeader(name, value);
        next();
      });
    },
  };
}
