// The GeoTIFF of crowdsourced depths, as GDAL reads it.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { binAt, publishCrowd } from '../support/crowd-archive.ts';
import { hasGdal } from '../support/gdal.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ charts: inject('demoCharts') });
  await publishCrowd(service, [
    binAt(-19.98, -30.02),
    binAt(-19.979, -30.02, { depth: 4.25, unc: 1.5 }),
  ]);
});
afterAll(() => service?.stop());

const box = '-19.981,-30.021,-19.978,-30.019';

test.runIf(hasGdal)(
  'a file of a box is GeoTIFF with the depth and uncertainty at each cell, as GDAL reads it',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'leadline-'));
    try {
      for (const [zoom, longitude] of [
        [15, -19.98],
        [15, -19.979],
        [13, -19.98],
      ] as const) {
        const response = await service.get(`/api/v1/crowd-depths.tif?bbox=${box}&zoom=${zoom}`);
        const file = join(folder, `${zoom}.tif`);
        writeFileSync(file, new Uint8Array(await response.arrayBuffer()));
        const info = execFileSync('gdalinfo', [file], { encoding: 'utf8' });
        expect(info).toContain('ID["EPSG",3857]');
        expect(info.match(/Type=Float32/g)).toHaveLength(2);
        expect(info).toContain('NoData Value=-9999');
        const read = (place: number) =>
          execFileSync('gdallocationinfo', ['-valonly', '-wgs84', file, `${place}`, '-30.02'], {
            encoding: 'utf8',
          })
            .trim()
            .split('\n')
            .map(Number);
        const [depth, unc] = longitude === -19.979 ? [4.25, 1.5] : [2.1, 0.4];
        expect(read(longitude)).toEqual([expect.closeTo(depth, 4), expect.closeTo(unc, 4)]);
        if (zoom === 15) expect(read(-19.9795)).toEqual([-9999, -9999]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
