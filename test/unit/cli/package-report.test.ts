/** What is said of a download that the packager could not make. */
import { expect, it } from 'vitest';
import { createReport } from '../../../app/cli/bootstrap/pack.mjs';

const BEGINNING = [
  '  • electron-builder  version=26.17.0 os=6.18.44',
  '  • packaging       platform=linux arch=x64 electron=45.3.4 appOutDir=/tmp/dist/linux-unpacked',
];
const FAILURE = [
  '  ⨯ getaddrinfo ENOTFOUND github.com  failedTask=build stackTrace=RequestError: getaddrinfo ENOTFOUND github.com',
  '    at ClientRequest.<anonymous> (/node_modules/got/dist/source/core/index.js:970:111)',
];

function reported(lines: readonly string[]) {
  const report = createReport();
  const printed = lines.flatMap((line) => report.line(line) ?? []);
  return { printed, missing: report.missing };
}

it('names the runtime that is missing and where it was looked for, in place of a stack', () => {
  expect(reported([...BEGINNING, ...FAILURE])).toEqual({
    printed: BEGINNING,
    missing: expect.stringMatching(
      /^the runtime of Electron 45\.3\.4 cannot be downloaded: github\.com is not reached\. .*electronDist=FOLDER$/,
    ),
  });
});

it('names the tools of an installer', () => {
  const building = '  • building        target=deb arch=x64 file=/tmp/dist/shoal.deb';
  expect(reported([...BEGINNING, building, ...FAILURE]).missing).toMatch(
    /^the tools for deb cannot be downloaded: github\.com/,
  );
});

it('passes every other report on', () => {
  const lines = [...BEGINNING, '  ⨯ Cannot read the configuration  failedTask=build', '    at somewhere'];
  expect(reported(lines)).toEqual({ printed: lines, missing: undefined });
});
