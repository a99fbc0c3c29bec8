// `npm run ocean-graph`: writes `shared/route/ocean-nodes.json` from the demo charts, whose background
// is the land of the built-in layers.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { demoCharts } from '../bench/bench-charts.ts';
import { openSeaFile } from '../support/sea-file.ts';
import { oceanNodes } from './make-ocean-graph.ts';

const FILE = resolve(import.meta.dirname, '../../shared/route/ocean-nodes.json');

const { demo } = await demoCharts();
writeFileSync(FILE, `${JSON.stringify(oceanNodes(await openSeaFile(demo)), undefined, 2)}\n`);
