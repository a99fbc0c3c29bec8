// Dispatches clicks on the chart to tools, in the order in which they were added. The first tool that
// accepts a click handles it, and the other tools close their popups.

import type { Map as ChartMap, MapMouseEvent } from 'maplibre-gl';

export interface ClickTool {
  /** Handles the click and returns `true`, or returns `false` to pass it on. */
  take(click: MapMouseEvent): boolean;
  /** Closes popups because another tool is active. Must not lose user input. */
  makeRoom(): void;
}

/** A tool of the chart, which can also be used at a position without a click. */
export interface ChartTool extends ClickTool {
  take(at: Pick<MapMouseEvent, 'lngLat' | 'point'>): boolean;
}

export interface ClickOrder {
  /** Adds a tool after those added before, and before the tools of the chart. */
  add(tool: ClickTool): void;
  /** Closes the popups of all other tools, for a tool that opens without a click. */
  enter(tool: ClickTool): void;
}

/**
 * Starts to dispatch the clicks of a map.
 *
 * @param last tools that come after all others
 */
export function openClickOrder(map: ChartMap, last: readonly ClickTool[]): ClickOrder {
  const tools: ClickTool[] = [];
  const all = () => [...tools, ...last];
  const enter = (entering: ClickTool) => {
    for (const tool of all()) if (tool !== entering) tool.makeRoom();
  };
  map.on('click', (click: MapMouseEvent) => {
    const taker = all().find((tool) => tool.take(click));
    if (taker !== undefined) enter(taker);
  });
  return { add: (tool) => void tools.push(tool), enter };
}
