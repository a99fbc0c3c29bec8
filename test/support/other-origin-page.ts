// A customer's page on another origin that shows a style of the service with several map libraries.

import { resolve } from 'node:path';
import { build } from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { mapLibreFiles, serveFiles } from './second-origin.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const SIZE = { width: 640, height: 480 };

/** Runs in the page. Zooms are those of 512-pixel tiles, as in styles; Leaflet's are of 256 pixels. */
const SCRIPT = `
import { Map } from 'maplibre-gl';
import { apply } from 'ol-mapbox-style';
import { fromLonLat } from 'ol/proj.js';
import * as L from 'leaflet';
globalThis.libraries = {
  maplibre: (address, center, zoom) => new Promise((done, fail) => {
    const map = new Map({ container: 'map', style: address, center, zoom, fadeDuration: 0,
      attributionControl: false, interactive: false });
    map.on('error', ({ error }) => fail(error));
    map.once('idle', () => {
      globalThis.marks = () => map.queryRenderedFeatures()
        .filter(({ layer }) => layer.type === 'symbol')
        .map(({ layer, geometry, properties }) => {
          if (geometry.type !== 'Point') return [];
          const { x, y } = map.project(geometry.coordinates);
          return [{ layer: layer.id, x, y, properties }];
        }).flat();
      done();
    });
  }),
  openlayers: async (address, center, zoom) => {
    const map = await apply('map', address);
    for (const control of map.getControls().getArray().slice()) map.removeControl(control);
    map.getView().setCenter(fromLonLat(center));
    map.getView().setZoom(zoom);
    await new Promise((done) => map.once('rendercomplete', done));
  },
  leaflet: async (address, [longitude, latitude], zoom) => {
    const map = L.map('map', { fadeAnimation: false, zoomControl: false, attributionControl: false });
    map.setView([latitude, longitude], zoom + 1);
    await new Promise((done) => {
      L.tileLayer(address, { crossOrigin: true }).once('load', done).addTo(map);
    });
  },
};
globalThis.ready = true;
`;

export type Library = 'maplibre' | 'openlayers' | 'leaflet';

/** A symbol or text that MapLibre shows, at its pixel of the picture. */
export interface Mark {
  readonly layer: string;
  readonly x: number;
  readonly y: number;
  readonly properties: Readonly<Record<string, string | number | boolean>>;
}

export interface View {
  readonly picture: PNG;
  /** Rendered features of MapLibre. Empty for other libraries. */
  readonly marks: readonly Mark[];
  /** Errors of the console, and requests to other hosts. */
  readonly complaints: readonly string[];
}

export interface OtherOrigin {
  readonly origin: string;
  /** @param address of a style, or for Leaflet of tiles */
  show(library: Library, address: string, center: [number, number], zoom: number): Promise<View>;
  stop(): Promise<void>;
}

/** @param serviceOrigin the only other host that the page reaches */
export async function openOtherOrigin(
  browser: Browser,
  serviceOrigin: string,
): Promise<OtherOrigin> {
  const stdin = { contents: SCRIPT, resolveDir: ROOT };
  const made = await build({ stdin, bundle: true, format: 'esm', write: false, logLevel: 'error' });
  const host = await serveFiles({
    '': [
      'text/html',
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,">
       <style>body{margin:0}#map{height:100vh}
       .leaflet-pane,.leaflet-tile{position:absolute;left:0;top:0}</style>
       <div id="map"></div><script type="module" src="/page.js"></script>`,
    ],
    'page.js': ['text/javascript', made.outputFiles[0]!.contents],
    ...mapLibreFiles(),
  });
  const opened = async (complaints: string[]): Promise<Page> => {
    const page = await browser.newPage({ viewport: SIZE, deviceScaleFactor: 1 });
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.route(
      ({ origin, protocol }) =>
        protocol !== 'blob:' && ![serviceOrigin, host.origin].includes(origin),
      (route) => {
        complaints.push(`asked ${route.request().url()}`);
        return route.abort();
      },
    );
    await page.goto(host.origin);
    await page.waitForFunction(() => 'ready' in globalThis);
    return page;
  };
  return {
    origin: host.origin,
    show: async (library, address, center, zoom) => {
      const complaints: string[] = [];
      const page = await opened(complaints);
      const marks = await page.evaluate(
        async ({ library, address, center, zoom }) => {
          const here = globalThis as unknown as {
            libraries: Record<string, (...words: unknown[]) => Promise<void>>;
            marks?: () => Mark[];
          };
          await here.libraries[library]!(address, center, zoom);
          return here.marks?.() ?? [];
        },
        { library, address, center, zoom },
      );
      const picture = PNG.sync.read(await page.screenshot());
      await page.close();
      return { picture, marks, complaints };
    },
    stop: () => host.stop(),
  };
}
