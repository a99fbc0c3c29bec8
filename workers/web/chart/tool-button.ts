// A map control with a button that opens a tool.

import type { Map as ChartMap } from 'maplibre-gl';
import type { ClickTool } from '../client/chart/click-order.ts';

const SVG = 'http://www.w3.org/2000/svg';

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
  const button = document.createElement('button');
  button.type = 'button';
  button.id = id;
  button.className = 'tool-button';
  button.title = title;
  button.setAttribute('aria-label', title);
  button.setAttribute('aria-expanded', 'false');
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('aria-hidden', 'true');
  const line = document.createElementNS(SVG, 'path');
  line.setAttribute('d', path);
  icon.append(line);
  button.append(icon);
  button.addEventListener('click', press);
  const group = document.createElement('div');
  group.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  group.append(button);
  map.addControl({ onAdd: () => group, onRemove: () => group.remove() });
  return button;
}
