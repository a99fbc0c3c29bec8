// A compressed copy of a static file that the disk service cannot read.

import { expect, test } from 'vitest';
import { packedFile } from '../../workers/service/http/packed-files.ts';

test.each(['gzip', 'br', 'identity'])(
  'the file is sent if its %s copy cannot be read',
  async (coding) => {
    const packed = { fetch: () => Promise.reject(new Error('EMFILE')) } as unknown as Parameters<
      typeof packedFile
    >[0];
    const request = new Request('http://chart.test/', { headers: { 'accept-encoding': coding } });
    const sent = await packedFile(packed, request, new Response('plain'));
    expect([sent.status, sent.headers.get('content-encoding')]).toEqual([200, null]);
    expect(await sent.text()).toBe('plain');
  },
);
