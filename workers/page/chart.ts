// The chart page: a map over the service's own style document, with what a reader may choose.

import { Map as ChartMap, NavigationControl, ScaleControl, setWorkerUrl } from 'maplibre-gl';
import type { Theme } from '../../shared/style/options.ts';
import { type Chosen, choicesOfStyle, lightOf, type StyleInUse, styleAddress } from './choices.ts';
import { showChoices } from './choices-form.ts';
import { settingsOf } from './choices-settings.ts';
import { showLegend } from './legend.ts';
import { readLink, writeLink } from './page-link.ts';
import { openClickOrder } from './parts/click-order.ts';
import { openPickReport } from './pick-report.ts';
import { showReadout } from './readout.ts';
import { openReports } from './reports/reports.ts';
import { openRouteTool } from './route-tool.ts';
import { openSearch } from './search.ts';
import { openSoundings } from './soundings.ts';
import { openStyleEditor } from './style-editor.ts';
import { previewStyle } from './style-preview.ts';

setWorkerUrl('/page/maplibre-gl-worker.mjs');

const element = <T extends HTMLElement>(id: string): T => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no element ${id}.`);
  return found as T;
};

function tell(text: string): void {
  element('problem-text').textContent = text;
  element<HTMLDialogElement>('problem').showModal();
}

/** Where charts are to be seen, for a page that was opened without a place: TileJSON's center. */
async function firstSightOf(token: string): Promise<readonly [number, number, number] | undefined> {
  const answer = await fetch(`/api/v2/tiles/enc-v2.json?token=${encodeURIComponent(token)}`);
  if (answer.status === 401) {
    throw new Error('This page needs a token: open the link that `npm start` prints.');
  }
  if (!answer.ok) throw new Error('The charts cannot be read right now. Try again in a moment.');
  const { center } = (await answer.json()) as { center?: readonly [number, number, number] };
  return center;
}

/** A zoom that fits 512 pixels, for the smaller side of this window. */
const fitted = (zoom: number): number =>
  zoom + Math.log2(Math.max(1, Math.min(innerWidth, innerHeight)) / 512);

async function open(): Promise<void> {
  const { token, place, chosen: linked, styleId } = readLink(location.hash);
  let chosen: Chosen = linked;
  let inUse: StyleInUse | undefined =
    styleId === undefined ? undefined : { id: styleId, version: '' };
  const sight = await firstSightOf(token);
  const style = () => styleAddress(location.origin, token, chosen, inUse);
  if (inUse !== undefined && (await fetch(style())).status === 404) {
    inUse = undefined;
    tell('The saved style of this link is gone. The chart is shown without it.');
  }
  const map = new ChartMap({
    container: 'map',
    style: style(),
    maxZoom: 20,
    attributionControl: { compact: true },
    ...(place !== undefined
      ? { zoom: place.zoom, center: [place.longitude, place.latitude] }
      : sight === undefined
        ? {}
        : { zoom: fitted(sight[2]), center: [sight[0], sight[1]] }),
  });
  map.addControl(new NavigationControl({ visualizePitch: false }));
  map.addControl(new ScaleControl({ unit: 'nautical' }), 'bottom-left');

  const theme = () => chosen['theme'] ?? 'day';
  // The page around a bright night is as dark as around a dark one, around a calm day as light.
  const darken = () => {
    document.body.dataset['theme'] = lightOf(theme());
  };
  const legend = () => {
    const { sprite } = map.getStyle();
    if (typeof sprite !== 'string') return;
    showLegend(element('legend-list'), sprite).catch((error: Error) => tell(error.message));
  };
  const link = () => {
    const { lat, lng } = map.getCenter();
    const now = { zoom: map.getZoom(), latitude: lat, longitude: lng };
    history.replaceState(null, '', writeLink({ token, place: now, chosen, styleId: inUse?.id }));
  };
  darken();
  const redraw = () => {
    darken();
    map.setStyle(style());
    map.once('styledata', legend);
    redrawReports();
    link();
  };
  const showAll = () =>
    showChoices(element('choices'), chosen, (name, value) => {
      chosen = { ...chosen, [name]: value };
      redraw();
    });
  showAll();
  openStyleEditor(element('styles'), element('style-form'), {
    token,
    styleId: inUse?.id,
    chosen: () => chosen,
    apply: (saved, next) => {
      inUse = saved === undefined ? undefined : { id: saved.id, version: `${saved.updatedAt}` };
      chosen = next;
      showAll();
      redraw();
    },
    preview: (colors, settings) => {
      const options = {
        ...settings,
        ...settingsOf(choicesOfStyle(chosen)),
        theme: theme() as Theme,
        colors,
      };
      const document = previewStyle(map.getStyle(), options);
      if (document !== undefined) map.setStyle(document);
    },
  });
  element<HTMLDetailsElement>('legend').addEventListener('toggle', legend);
  showReadout(map, element('readout'), () => chosen['depthUnits'] ?? 'meters');
  openSoundings(map, element('soundings'), token, () => chosen['depthUnits'] ?? 'meters');
  openSearch(map, element('search'), element('query'), element('search-result'));
  // A click belongs to the first of these that takes it; the pick report takes all that are left.
  const clicks = openClickOrder(map);
  clicks.add(
    openRouteTool(map, element('route'), {
      token,
      units: () => chosen['depthUnits'] ?? 'meters',
      entering: (tool) => clicks.enter(tool),
    }),
  );
  const redrawReports = openReports(map, {
    token,
    panel: element('user-report'),
    fold: element('reports-fold'),
    clicks,
    theme: () => theme() as Theme,
    isShown: () => chosen['showUserReports'] !== 'false',
  });
  clicks.add(openPickReport(map, element('pick'), token));
  map.on('moveend', link);
  // For automated tests and for the curious.
  Object.assign(globalThis, { chartMap: map });
}

open().catch((error: Error) => tell(error.message));
