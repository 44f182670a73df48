import { describe, expect, it } from 'vitest';
import { packAround, unpackFolder } from '../../../app/files/zip.ts';

const noise = Uint8Array.from({ length: 5_000_000 }, (_, i) => (i * i * 2_654_435_761) >>> 24);

async function packed(large: Readonly<Record<string, Blob>>): Promise<Uint8Array> {
  const files = { 'run.json': new TextEncoder().encode('{}'), 'größe/x.csv': new Uint8Array(9) };
  return new Uint8Array(await (await packAround('run', files, large)).arrayBuffer());
}

describe('an archive around large files', () => {
  it('opens again with each of them, held to its checksum', async () => {
    const large = { 'fields.nc': new Blob([noise]), 'fields.bin': new Blob([]) };
    const archive = await packed(large);
    const found = unpackFolder(archive);
    expect(Object.keys(found).toSorted()).toEqual(['fields.bin', 'fields.nc', 'größe/x.csv', 'run.json']);
    expect(Buffer.compare(found['fields.nc'], noise)).toBe(0);
    expect(found['fields.bin']).toHaveLength(0);
    // Stored as they are: what is packed already is not packed again.
    expect(archive.length).toBeGreaterThan(noise.length);
    archive[archive.length - 3_000_000] ^= 1;
    expect(() => unpackFolder(archive)).toThrow('is not what was packed (checksum)');
  });

  it('is refused where the format has no room for it', async () => {
    const large = { size: 2 ** 32 - 2 ** 20, slice: () => new Blob([]) } as unknown as Blob;
    await expect(packed({ 'fields.nc': large })).rejects.toThrow(
      'fields.nc makes the archive larger than a .zip can be',
    );
  });
});
