// Boston's cells of NOAA as an upload.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipDirectory, zipFiles } from '../../shared/region/stored-zip.ts';
import { encData } from './enc-data.ts';

/** Inner and outer harbour. */
const CELLS = ['US5MA11M', 'US5MA12M'];
/** Long Wharf. */
export const BOSTON_TILE = '/api/v2/tiles/data-geojson-v1/14/4958/6059.json';
/** The start of the ids of objects in the tile. */
export const BOSTON_OBJECT = '"US5MA11M.550.';

/** The exchange set as its producer delivers it, with updates. */
export function zipOfBoston(): Buffer {
  const files = CELLS.flatMap((cell) =>
    readdirSync(encData('ENC_BUSY', cell), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }): [string, Uint8Array] => [
        `ENC_ROOT/${cell}/${name}`,
        readFileSync(join(parentPath, name)),
      ]),
  );
  const { bytes, members } = zipFiles(files);
  return Buffer.concat([bytes, zipDirectory(members, bytes.length)]);
}
