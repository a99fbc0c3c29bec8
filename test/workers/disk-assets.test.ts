// Static files from a disk whose answers the test chooses.

import { afterEach, expect, test, vi } from 'vitest';
import { diskAssets } from '../../workers/service/standalone/disk-assets.ts';

afterEach(() => vi.restoreAllMocks());

const statusOf = async (path: string, onDisk: number | Error): Promise<number> => {
  const fetch = async () => {
    if (typeof onDisk !== 'number') throw onDisk;
    return new Response(null, { status: onDisk });
  };
  const disk = { fetch };
  return (await diskAssets(disk as never).fetch(`http://leadline.test${path}`)).status;
};

test.each(['/portal', '/fonts/abc123/Noto%20Sans%20Regular/0-255.pbf'])(
  'a file at %s that the disk cannot read is 503, and one that it does not have is 404',
  async (path) => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const fault = new Error('too many open files');
    expect(await statusOf(path, fault)).toBe(503);
    expect([await statusOf(path, 500), await statusOf(path, 404)]).toEqual([503, 404]);
  },
);
