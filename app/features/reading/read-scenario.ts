/** A scenario file with the files that it names, or a bundle, which has them: all read and checked. */
import { parseScenario, readScenarioFiles } from '../../../engine/index.ts';
import type { OpenHdf5, ParsedScenario } from '../../../engine/index.ts';
import { unpackBundle } from '../../bundle/bundle-file.ts';
import { isBundleName } from '../../bundle/bundle-name.ts';
import type { OpenedFile } from '../../host/host.ts';

export interface ReadScenario {
  readonly parsed: ParsedScenario;
  /** By the names that the scenario gives them. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * @param openHdf5 reads NetCDF-4 files where it can be stopped; where it is missing they are refused
 * @throws ScenarioError that says everything that is wrong with them
 */
export async function readScenario(
  { name, bytes, siblings }: OpenedFile,
  openHdf5: OpenHdf5 | undefined,
): Promise<ReadScenario> {
  if (isBundleName(name)) {
    const { parsed, files } = await unpackBundle(bytes, name);
    return { parsed, files };
  }
  const parsed = parseScenario(bytes, name);
  const files: Record<string, Uint8Array> = {};
  const read = async (file: string, most: number): Promise<Uint8Array> => {
    const found = await siblings(file, most);
    if (!found) throw new Error(`${file} is not beside ${name}`);
    files[file] = found;
    return found;
  };
  await readScenarioFiles(parsed.scenario, read, name, openHdf5);
  return { parsed, files };
}
