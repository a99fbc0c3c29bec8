// An archive on disk for the pmtiles reader.

import { open } from 'node:fs/promises';
import type { Source } from 'pmtiles';

export function fileSource(path: string): Source {
  return {
    getKey: () => path,
    getBytes: async (offset, length) => {
      const file = await open(path);
      try {
        const bytes = new Uint8Array(length);
        const { bytesRead } = await file.read(bytes, 0, length, offset);
        return { data: bytes.slice(0, bytesRead).buffer };
      } finally {
        await file.close();
      }
    },
  };
}
