// A map control with a button to follow the position of the vessel.

import type { IControl } from 'maplibre-gl';

export interface PositionButton extends IControl {
  show(isFollowing: boolean): void;
}

const SVG = 'http://www.w3.org/2000/svg';

export function positionButton(press: () => void): PositionButton {
  const group = document.createElement('div');
  group.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'leadline-follow';
  button.title = 'Follow my position';
  button.setAttribute('aria-label', 'Follow my position');
  const icon = document.createElementNS(SVG, 'svg');
  icon.setAttribute('viewBox', '0 0 24 24');
  icon.setAttribute('width', '20');
  icon.setAttribute('height', '20');
  icon.setAttribute('aria-hidden', 'true');
  const needle = document.createElementNS(SVG, 'path');
  needle.setAttribute('d', 'M20 4 4 11l7 2 2 7Z');
  needle.setAttribute('stroke', 'currentColor');
  needle.setAttribute('stroke-width', '2');
  needle.setAttribute('stroke-linejoin', 'round');
  // MapLibre's stylesheet positions only its own icons.
  icon.style.display = 'block';
  icon.style.margin = 'auto';
  icon.append(needle);
  button.append(icon);
  button.addEventListener('click', press);
  group.append(button);
  const show = (isFollowing: boolean) => {
    button.setAttribute('aria-pressed', String(isFollowing));
    needle.setAttribute('fill', isFollowing ? 'currentColor' : 'none');
  };
  show(false);
  return { onAdd: () => group, onRemove: () => group.remove(), show };
}
