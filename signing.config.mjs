/**
 * How a release is signed, by what its surroundings bring; without anything the packages are unsigned, and say so when they
 * are opened. Keys are never in a file: electron-builder reads them itself.
 *
 * macOS    CSC_LINK and CSC_KEY_PASSWORD, a Developer ID certificate (or one in the keychain); notarised with APPLE_API_KEY,
 *          APPLE_API_KEY_ID and APPLE_API_ISSUER, or APPLE_ID, APPLE_APP_SPECIFIC_PASSWORD and APPLE_TEAM_ID, or
 *          APPLE_KEYCHAIN and APPLE_KEYCHAIN_PROFILE
 * Windows  WIN_CSC_LINK and WIN_CSC_KEY_PASSWORD, a certificate in a file; or Azure Trusted Signing with
 *          SHOAL_AZURE_ENDPOINT, SHOAL_AZURE_ACCOUNT, SHOAL_AZURE_PROFILE, SHOAL_AZURE_PUBLISHER and Azure's own
 *          AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET
 * both     SHOAL_RELEASE=1 refuses to package what is not signed
 */

const NOTARISATION = [
  ['APPLE_API_KEY', 'APPLE_API_KEY_ID', 'APPLE_API_ISSUER'],
  ['APPLE_ID', 'APPLE_APP_SPECIFIC_PASSWORD', 'APPLE_TEAM_ID'],
  ['APPLE_KEYCHAIN', 'APPLE_KEYCHAIN_PROFILE'],
];
const AZURE = {
  endpoint: 'SHOAL_AZURE_ENDPOINT',
  codeSigningAccountName: 'SHOAL_AZURE_ACCOUNT',
  certificateProfileName: 'SHOAL_AZURE_PROFILE',
  publisherName: 'SHOAL_AZURE_PUBLISHER',
};

/** All names of a group must be there, or none: half a set is a mistake that would give an unsigned release. */
function isGiven(environment, names) {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === 0) return true;
  if (missing.length === names.length) return false;
  throw new Error(
    `signing: ${missing.join(', ')} must be set too, beside ${names.filter((name) => environment[name])}`,
  );
}

function azureSigning(environment) {
  if (!isGiven(environment, Object.values(AZURE))) return {};
  const values = Object.entries(AZURE).map(([option, name]) => [option, environment[name]]);
  return { azureSignOptions: Object.fromEntries(values) };
}

/** @returns the parts of the packager's configuration for macOS, for Windows, and for all */
export function signing(environment) {
  const notarise = NOTARISATION.some((names) => isGiven(environment, names));
  return {
    all: { forceCodeSigning: environment.SHOAL_RELEASE === '1' },
    mac: {
      hardenedRuntime: true,
      gatekeeperAssess: false,
      entitlements: 'assets/entitlements.mac.plist',
      entitlementsInherit: 'assets/entitlements.mac.plist',
      notarize: notarise,
    },
    win: azureSigning(environment),
  };
}
