import { describe, expect, it } from 'vitest';
import { securityHeaders } from '../../../app/server/headers.ts';
import { freshRequest, isAnswered, isolatedAnswer } from '../../../app/site/isolation.ts';

const ORIGIN = 'https://example.org';

describe('what the service worker answers', () => {
  it('is what the host has, under the headers that the application has everywhere', async () => {
    const answer = isolatedAnswer(
      new Response('content', {
        status: 404,
        statusText: 'Gone',
        headers: { 'Content-Type': 'text/css', ETag: '"1"' },
      }),
    );
    expect([answer.status, answer.statusText]).toStrictEqual([404, 'Gone']);
    expect(answer.headers.get('content-type')).toBe('text/css');
    expect(answer.headers.get('etag')).toBe('"1"');
    expect(await answer.text()).toBe('content');
    for (const [name, value] of Object.entries(securityHeaders())) expect(answer.headers.get(name)).toBe(value);
  });

  it('has no body if there can be none', () => {
    expect(isolatedAnswer(new Response(null, { status: 304 })).body).toBeNull();
  });

  it('leaves to the browser what a script may not see', () => {
    const hidden = Response.error();
    expect(isolatedAnswer(hidden)).toBe(hidden);
  });

  it('is for the page and its parts, and for nothing of elsewhere', () => {
    const of = (url: string, init?: RequestInit): boolean => isAnswered(new Request(url, init), ORIGIN);
    expect(of(`${ORIGIN}/shoal/assets/a.js`)).toBe(true);
    expect(of(`${ORIGIN}/shoal/`, { method: 'POST' })).toBe(false);
    expect(of('https://elsewhere.org/a.js')).toBe(false);
    expect(
      isAnswered({ method: 'GET', url: ORIGIN, cache: 'only-if-cached', mode: 'no-cors' } as Request, ORIGIN),
    ).toBe(false);
  });

  it('asks for the page again each time, and for nothing else', () => {
    const part = new Request(`${ORIGIN}/a.js`);
    expect(freshRequest(part)).toBe(part);
    // No request of a page can be made by hand.
    const page = new Proxy(new Request(ORIGIN), {
      get: (request, key) => (key === 'mode' ? 'navigate' : (Reflect.get(request, key) as unknown)),
    });
    expect(() => freshRequest(page)).not.toThrow();
    expect(freshRequest(page).cache).toBe('no-cache');
  });
});
