/** How the desktop application is packaged: what goes in, for which systems, and what Electron may not do any more. */

/** Fuses, blown in the packaged runtime: it runs this application alone, from its sealed archive. */
const electronFuses = {
  runAsNode: false,
  enableCookieEncryption: true,
  enableNodeOptionsEnvironmentVariable: false,
  enableNodeCliInspectArguments: false,
  enableEmbeddedAsarIntegrityValidation: true,
  onlyLoadAppFromAsar: true,
  loadBrowserProcessSpecificV8Snapshot: false,
  grantFileProtocolExtraPrivileges: false,
};

export default {
  appId: 'org.shoal.desktop',
  productName: 'Shoal',
  copyright: 'MIT licence',
  directories: { output: 'dist', buildResources: 'assets' },
  asar: true,
  npmRebuild: false,
  // All that is needed is in the bundles.
  files: ['out/main/**', 'out/preload/**', 'out/renderer/**', 'package.json', '!**/*.map', '!node_modules/**'],
  extraMetadata: { main: 'out/main/index.js' },
  electronFuses,
  fileAssociations: [
    {
      ext: 'shoal.json',
      name: 'Shoal scenario',
      description: 'Scenario of a data assimilation experiment',
      mimeType: 'application/vnd.shoal.scenario+json',
      role: 'Editor',
    },
    {
      ext: 'json',
      name: 'JSON',
      description: 'JSON document',
      mimeType: 'application/json',
      role: 'Editor',
      rank: 'Alternate',
    },
  ],
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Education',
    icon: 'icon.png',
    executableName: 'shoal-app',
    maintainer: 'Shoal',
    synopsis: 'Laboratory for data assimilation',
  },
  mac: { target: ['dmg'], category: 'public.app-category.education', icon: 'icon.png', darkModeSupport: true },
  win: { target: ['nsis'], icon: 'icon.png' },
  nsis: { oneClick: false, perMachine: false, allowToChangeInstallationDirectory: true },
};
