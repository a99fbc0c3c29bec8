// Who answers a click on the chart: tools are asked in the order they were added, and the first to
// take it has it. The others close what they had open, as one answer is shown at a time.

import type { Map as ChartMap, MapMouseEvent } from 'maplibre-gl';

export interface ClickTool {
  /** Answers the click and says true, or leaves it to the tools behind. */
  take(click: MapMouseEvent): boolean;
  /** Another tool answers now: close what an earlier click opened, and lose nothing typed. */
  makeRoom(): void;
}

export interface ClickOrder {
  /** Put a tool behind those added before; those of the chart itself stay last. */
  add(tool: ClickTool): void;
  /** Have all others close what they had open, for a tool that opens by something else than a click. */
  enter(tool: ClickTool): void;
}

/**
 * Give the map's clicks to tools, one tool a click.
 *
 * @param last tools that stay behind all others
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
