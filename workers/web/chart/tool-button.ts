// A map control with a button that opens a tool.

import type { Map as ChartMap } from 'maplibre-gl';
import type { ClickTool } from '../client/chart/click-order.ts';
import { button, element, shape } from '../client/chart/elements.ts';

/** A tool that shows depths. */
export interface DepthTool extends ClickTool {
  /** Shows the depths in the chosen unit. */
  redraw(): void;
}

/** @param path SVG path of the icon, in a 24 × 24 view box */
export function addToolButton(
  map: ChartMap,
  { id, title, path }: { readonly id: string; readonly title: string; readonly path: string },
  press: () => void,
): HTMLButtonElement {
  const opener = button('', press);
  opener.id = id;
  opener.className = 'tool-button';
  opener.title = title;
  opener.setAttribute('aria-label', title);
  opener.setAttribute('aria-expanded', 'false');
  const icon = shape('svg', { viewBox: '0 0 24 24', 'aria-hidden': 'true' });
  icon.append(shape('path', { d: path }));
  opener.append(icon);
  const group = element('div');
  group.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  group.append(opener);
  map.addControl({ onAdd: () => group, onRemove: () => group.remove() });
  return opener;
}
