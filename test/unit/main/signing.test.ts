/** What a release brings makes it signed; half of it is refused; nothing about it is needed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = new URL('../../..', import.meta.url).pathname;

interface Signing {
  readonly all: { readonly forceCodeSigning: boolean };
  readonly mac: { readonly hardenedRuntime: boolean; readonly entitlements: string; readonly notarize: boolean };
  readonly win: { readonly azureSignOptions?: Readonly<Record<string, string>> };
}
const { signing } = (await import(join(root, 'signing.config.mjs'))) as {
  readonly signing: (environment: Readonly<Record<string, string>>) => Signing;
};

const AZURE = {
  SHOAL_AZURE_ENDPOINT: 'https://weu.example.org/',
  SHOAL_AZURE_ACCOUNT: 'account',
  SHOAL_AZURE_PROFILE: 'profile',
  SHOAL_AZURE_PUBLISHER: 'CN=Shoal',
};

it('packages without keys: nothing is notarised, nothing is refused', () => {
  const { all, mac, win } = signing({});
  expect(all.forceCodeSigning).toBe(false);
  expect(mac).toMatchObject({ hardenedRuntime: true, notarize: false });
  expect(win).toEqual({});
});

it.each<Readonly<Record<string, string>>>([
  { APPLE_API_KEY: 'k', APPLE_API_KEY_ID: 'i', APPLE_API_ISSUER: 'u' },
  { APPLE_ID: 'i', APPLE_APP_SPECIFIC_PASSWORD: 'p', APPLE_TEAM_ID: 't' },
  { APPLE_KEYCHAIN: 'k', APPLE_KEYCHAIN_PROFILE: 'p' },
])('notarises with %j, and refuses a part of that', (environment) => {
  expect(signing(environment).mac.notarize).toBe(true);
  const [[first], [last, value]] = [Object.keys(environment), Object.entries(environment).at(-1) ?? ['', '']];
  expect(() => signing({ [last]: value })).toThrow(`signing: ${first}`);
});

it('signs for Windows by Azure where it is configured, and takes no key into the configuration', () => {
  expect(signing(AZURE).win.azureSignOptions).toEqual({
    endpoint: 'https://weu.example.org/',
    codeSigningAccountName: 'account',
    certificateProfileName: 'profile',
    publisherName: 'CN=Shoal',
  });
  const { SHOAL_AZURE_PROFILE: _left, ...part } = AZURE;
  expect(() => signing(part)).toThrow('signing: SHOAL_AZURE_PROFILE must be set too');
  const secrets = { CSC_LINK: 'secret', CSC_KEY_PASSWORD: 'secret', WIN_CSC_KEY_PASSWORD: 'secret' };
  expect(JSON.stringify(signing(secrets))).not.toContain('secret');
});

it('refuses an unsigned release', () => {
  expect(signing({ SHOAL_RELEASE: '1' }).all.forceCodeSigning).toBe(true);
});

it('is a part of the packager’s configuration, and allows the application no more than V8 needs', async () => {
  const { default: configuration } = await import(join(root, 'electron-builder.config.mjs'));
  expect(configuration).toMatchObject(signing({}).all);
  expect(configuration.mac).toMatchObject(signing({}).mac);
  const entitlements = readFileSync(join(root, configuration.mac.entitlements), 'utf8');
  expect([...entitlements.matchAll(/<key>([^<]+)<\/key>/g)].map(([, key]) => key)).toEqual([
    'com.apple.security.cs.allow-jit',
  ]);
});
