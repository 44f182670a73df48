/** Item 18 of Electron's security checklist (security.test.ts): app:// reads its folder and nothing else. */
import { describe, expect, it } from 'vitest';
import { createProtocolHandler, PAGE, PRIVILEGES } from '../../../app/main/protocol.ts';

describe('18: app:// takes the place of file://', () => {
  const asked: string[] = [];
  const handle = createProtocolHandler('/site', (path) => {
    asked.push(path);
    return path.endsWith('missing.js') ? Promise.reject(new Error('gone')) : Promise.resolve(new Uint8Array([42]));
  });
  const get = (url: string, method = 'GET') => handle({ url, method });

  it('is a secure origin like https', () => {
    expect(PRIVILEGES).toMatchObject({ scheme: 'app', privileges: { standard: true, secure: true } });
    expect(PRIVILEGES.privileges).not.toHaveProperty('bypassCSP');
  });

  it('gives the page and its parts with type and security headers', async () => {
    const page = await get(PAGE);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(new Uint8Array(await page.arrayBuffer())).toEqual(new Uint8Array([42]));
    const script = await get('app://shoal/assets/worker-abcdefgh.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(script.headers.get('cache-control')).toContain('immutable');
    expect(asked.slice(-2)).toEqual(['/site/index.html', '/site/assets/worker-abcdefgh.js']);
  });

  it.each([
    'app://shoal/..%2f..%2fetc/passwd',
    'app://shoal/..%5cpackage.json',
    'app://shoal/%252e%252e/package.json',
    'app://shoal/.git/config',
    'app://shoal/a//b.js',
    'app://shoal/a%00.js',
    'app://shoal/C:/windows',
    'app://other/index.html',
    'app://shoal/%',
  ])('reads nothing for %s', async (url) => {
    const before = asked.length;
    expect((await get(url)).status).toBe(404);
    expect(asked).toHaveLength(before);
  });

  it('never leaves the folder, however a path is written', async () => {
    const before = asked.length;
    for (const path of ['../../etc/passwd', './../x', 'a/../../x', '%2e%2e/x']) await get(`app://shoal/${path}`);
    for (const path of asked.slice(before)) expect(path.startsWith('/site/')).toBe(true);
  });

  it('answers a missing file and another method with a refusal', async () => {
    expect((await get('app://shoal/missing.js')).status).toBe(404);
    expect((await get(PAGE, 'POST')).status).toBe(405);
    expect((await get(PAGE, 'HEAD')).body).toBeNull();
  });
});
