// The version of the style changes with its documents: caches and ETags of raster tiles depend on it.

import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildStyle, STYLE_VERSION } from '../../../shared/style/document/build-style.ts';
import { DEFAULT_OPTIONS, THEMES } from '../../../shared/style/options.ts';
import { ADDRESSES, CHART } from '../../support/written-style.ts';

const KNOWN = '18 c00ee52e5afb3b6c';

test('the default documents of all themes have a digest per STYLE_VERSION', () => {
  const days = { first: 20260601, last: 20260602 };
  const documents = THEMES.map((theme) =>
    buildStyle({
      options: { ...DEFAULT_OPTIONS, theme },
      addresses: ADDRESSES,
      chart: CHART,
      days,
    }),
  );
  const digest = createHash('sha256').update(JSON.stringify(documents)).digest('hex').slice(0, 16);
  const message = 'the style changed: raise STYLE_VERSION and this digest';
  expect(`${STYLE_VERSION} ${digest}`, message).toBe(KNOWN);
});
