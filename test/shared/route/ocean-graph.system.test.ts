// The graph of the oceans in the repository is the one that `npm run ocean-graph` makes.

import { expect, inject, it } from 'vitest';
import nodes from '../../../shared/route/ocean-nodes.json' with { type: 'json' };
import { oceanNodes } from '../../ocean-graph/make-ocean-graph.ts';
import { isLong } from '../../support/long-run.ts';
import { openSeaFile } from '../../support/sea-file.ts';

// It takes two minutes. Run it after each change of the table of straits.
it.runIf(isLong)(
  'makes the same graph of the oceans as in the repository, byte for byte',
  async () => {
    const made = oceanNodes(await openSeaFile(inject('demoCharts')));
    expect(JSON.stringify(made)).toBe(JSON.stringify(nodes));
  },
);
