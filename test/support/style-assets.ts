// The index of sprites and glyphs of a deployment, without the artwork.

export const ARTWORK_HASH = 'abc123';

export const ASSETS_INDEX = {
  format: 1,
  inputs: 'i1',
  sprites: {
    hash: ARTWORK_HASH,
    themes: {
      day: `/sprites/${ARTWORK_HASH}/day`,
      dusk: `/sprites/${ARTWORK_HASH}/dusk`,
      night: `/sprites/${ARTWORK_HASH}/night`,
      'night-bright': `/sprites/${ARTWORK_HASH}/night-bright`,
      yacht: `/sprites/${ARTWORK_HASH}/yacht`,
    },
  },
  fonts: {
    hash: ARTWORK_HASH,
    template: `/fonts/${ARTWORK_HASH}/{fontstack}/{range}.pbf`,
    stacks: { 'Noto Sans Regular': ['0-255'] },
  },
  webFonts: {
    hash: ARTWORK_HASH,
    template: `/web-fonts/${ARTWORK_HASH}/{font-family}/{fontweight}{-fontstyle}.css`,
    files: [],
  },
  offline: { hash: ARTWORK_HASH, file: `/offline/${ARTWORK_HASH}.bin`, bytes: 0, members: [] },
};

/** Static assets that hold the index and nothing else. */
export const INDEX_ONLY = {
  fetch: async (input: Request | string) => {
    const { pathname } = new URL(typeof input === 'string' ? input : input.url);
    return pathname === '/assets.json'
      ? Response.json(ASSETS_INDEX)
      : new Response(null, { status: 404 });
  },
};

/** A namespace that keeps texts in memory, as several isolates would share it. */
export function memoryNamespace() {
  const texts = new Map<string, string>();
  return {
    texts,
    get: async (key: string, type?: string) => {
      const text = texts.get(key);
      if (text === undefined) return null;
      return type === 'json' ? (JSON.parse(text) as unknown) : text;
    },
    put: async (key: string, text: string) => void texts.set(key, text),
  };
}

/** The platform's promise of its key-value store: a place that has read a key goes by it for a minute. */
const KV_STALE_MS = 60_000;

/** A namespace as seen from one edge location, which receives changes late. */
export function lateNamespace() {
  const { put, texts } = memoryNamespace();
  const seen = new Map<string, { readonly text: string | undefined; readonly at: number }>();
  return {
    put,
    get: async (key: string, type?: string) => {
      let known = seen.get(key);
      if (known === undefined || Date.now() - known.at >= KV_STALE_MS) {
        known = { text: texts.get(key), at: Date.now() };
        seen.set(key, known);
      }
      if (known.text === undefined) return null;
      return type === 'json' ? (JSON.parse(known.text) as unknown) : known.text;
    },
  };
}
