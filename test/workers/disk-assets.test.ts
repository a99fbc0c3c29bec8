// Static files from a disk whose answers the test chooses.

import { expect, test } from 'vitest';
import { diskAssets } from '../../workers/service/standalone/disk-assets.ts';

const statusOf = async (path: string, onDisk: number): Promise<number> => {
  const disk = { fetch: async () => new Response(null, { status: onDisk }) };
  return (await diskAssets(disk as never).fetch(`http://leadline.test${path}`)).status;
};

test.each(['/portal', '/fonts/abc123/Noto%20Sans%20Regular/0-255.pbf'])(
  'a file at %s that the disk cannot read is 503, and one that it does not have is 404',
  async (path) => {
    expect([await statusOf(path, 500), await statusOf(path, 404)]).toEqual([503, 404]);
  },
);
