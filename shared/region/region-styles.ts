// The style documents of a region: the service's styles with addresses in the file.

import { plainBounds } from '../chart/bounds.ts';
import { chartAttribution, type Dataset } from '../chart/manifest.ts';
import { CROWD_MAX_ZOOM } from '../crowd/bin.ts';
import { buildStyle } from '../style/document/build-style.ts';
import { CROWD_SOURCE } from '../style/layers/crowd.ts';
import { CHART_SOURCE } from '../style/layers/layer.ts';
import { BASE_THEMES, type CrowdTiles, DEFAULT_OPTIONS } from '../style/options.ts';
import { KINDS, lastZoom, REGION_ADDRESS, styleFile } from './region-addresses.ts';
import type { RegionRequest } from './region-note.ts';

/** Names and texts of the styles. They do not depend on the build, so that they rarely change. */
export function regionStyles(
  { bounds, maxZoom }: RegionRequest,
  datasets: readonly Dataset[],
  archiveZoom: number,
  crowd?: CrowdTiles,
): (readonly [name: string, text: string])[] {
  const chart = {
    bounds: plainBounds(bounds),
    attribution: chartAttribution(datasets),
    buildId: '',
  };
  return BASE_THEMES.flatMap((theme) =>
    KINDS.map((kind) => {
      const style = buildStyle({
        options: {
          ...DEFAULT_OPTIONS,
          // Nothing else distinguishes the area outside the box, which has no tiles, from open water.
          hatchNoData: true,
          theme,
          live: kind === 'live',
          ...(crowd === undefined ? {} : { showCrowdDepth: 'depths' as const }),
        },
        addresses: {
          tiles: `${REGION_ADDRESS}/tiles/{z}/{x}/{y}`,
          sprite: `${REGION_ADDRESS}/sprites/${theme}`,
          glyphs: `${REGION_ADDRESS}/glyphs/{fontstack}/{range}.pbf`,
          ...(crowd === undefined ? {} : { crowd }),
        },
        chart: { ...chart, bounds: [...chart.bounds] as [number, number, number, number] },
      });
      const source = { ...style.sources[CHART_SOURCE], maxzoom: lastZoom(maxZoom, archiveZoom) };
      const depths = style.sources[CROWD_SOURCE];
      const sources = {
        ...style.sources,
        [CHART_SOURCE]: source,
        ...(depths === undefined
          ? {}
          : { [CROWD_SOURCE]: { ...depths, maxzoom: Math.min(maxZoom, CROWD_MAX_ZOOM) } }),
      };
      return [styleFile(theme, kind), JSON.stringify({ ...style, sources })] as const;
    }),
  );
}
