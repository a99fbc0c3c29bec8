// The index of sprites and glyphs as a deployment has it, without the artwork itself.

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
    },
  },
  fonts: {
    hash: ARTWORK_HASH,
    template: `/fonts/${ARTWORK_HASH}/{fontstack}/{range}.pbf`,
    stacks: { 'Noto Sans Regular': ['0-255'] },
  },
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
