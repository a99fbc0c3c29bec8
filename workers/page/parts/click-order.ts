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
  /** Put a tool behind those added before. One that takes every click comes last. */
  add(tool: ClickTool): void;
  /** Have all others close what they had open, for a tool that opens by something else than a click. */
  enter(tool: ClickTool): void;
}

/** Give the map's clicks to tools, one tool a click. */
export function openClickOrder(map: ChartMap): ClickOrder {
  const tools: ClickTool[] = [];
  const enter = (entering: ClickTool) => {
    for (const tool of tools) if (tool !== entering) tool.makeRoom();
  };
  map.on('click', (click: MapMouseEvent) => {
    const taker = tools.find((tool) => tool.take(click));
    if (taker !== undefined) enter(taker);
  });
  return { add: (tool) => void tools.push(tool), enter };
}
