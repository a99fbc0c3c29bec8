// A map control with a button to follow the position of the vessel.

import type { IControl } from 'maplibre-gl';
import { button, element, shape } from './elements.ts';

export interface PositionButton extends IControl {
  show(isFollowing: boolean): void;
}

export function positionButton(press: () => void): PositionButton {
  const group = element('div');
  group.className = 'maplibregl-ctrl maplibregl-ctrl-group';
  const follow = button('', press);
  follow.className = 'leadline-follow';
  follow.title = 'Follow my position';
  follow.setAttribute('aria-label', 'Follow my position');
  const icon = shape('svg', { viewBox: '0 0 24 24', width: 20, height: 20, 'aria-hidden': 'true' });
  const needle = shape('path', {
    d: 'M20 4 4 11l7 2 2 7Z',
    stroke: 'currentColor',
    'stroke-width': 2,
    'stroke-linejoin': 'round',
  });
  // MapLibre's stylesheet positions only its own icons.
  icon.style.display = 'block';
  icon.style.margin = 'auto';
  icon.append(needle);
  follow.append(icon);
  group.append(follow);
  const show = (isFollowing: boolean) => {
    follow.setAttribute('aria-pressed', String(isFollowing));
    needle.setAttribute('fill', isFollowing ? 'currentColor' : 'none');
  };
  show(false);
  return { onAdd: () => group, onRemove: () => group.remove(), show };
}
