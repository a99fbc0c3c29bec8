// The limit of a search for names counts objects, not the keys under which one was found.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import type { NamesAnswer } from '../../shared/contract/names.ts';
import { CellBuilder } from '../../shared/s57/write/cell-builder.ts';
import { encodeFile } from '../../shared/s57/write/encode-file.ts';
import { buildCharts } from '../../tiles-build/pipeline/build-charts.ts';
import { areaFeature, boxRing, writeLayer } from '../support/background-files.ts';
import { keptThread } from '../support/build-threads.ts';
import { freshApp } from '../support/direct-app.ts';
import { boxCourse, harbourPlan } from '../support/harbour-plan.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

const NAME = 'ZZ5LIMIT';
const at = (degrees: number): number => Math.round(degrees * 1e7);

afterAll(() => {
  vi.unstubAllGlobals();
});

test('a phrase that one object contains twice also finds its words in other names', async () => {
  const builder = new CellBuilder(harbourPlan(NAME));
  const course = boxCourse(at(10), at(50), at(10.1), at(50.1));
  builder.area(1, 'M_COVR', [[{ course }]], { CATCOV: 1 });
  builder.area(2, 'DEPARE', [[{ course }]], { DRVAL1: 5, DRVAL2: 10 });
  builder.point(3, 'SEAARE', [at(10.02), at(50.02)], { OBJNAM: 'Wick Bay, Wick Bay' });
  builder.point(4, 'SEAARE', [at(10.08), at(50.08)], { OBJNAM: 'Bay of Wick' });
  const folder = scratchFolder();
  const [enc, background, out] = [join(folder, NAME), join(folder, 'land'), join(folder, 'charts')];
  writeLayer(background, 'ne_10m_land', [areaFeature([boxRing(9, 49, 11, 51)])]);
  mkdirSync(enc);
  writeFileSync(join(enc, `${NAME}.000`), encodeFile(builder.contents()));
  await buildCharts({ enc: [enc], background, out, jobs: 1, pool: keptThread() });
  const app = await freshApp(out);
  const response = await app.fetch('/api/v1/names?q=wick%20bay&limit=1', {
    headers: { authorization: `Bearer ${app.token}` },
  });
  const { names, isComplete } = (await response.json()) as NamesAnswer;
  expect([names.map(({ name }) => name), isComplete]).toEqual([['Wick Bay, Wick Bay'], false]);
});
