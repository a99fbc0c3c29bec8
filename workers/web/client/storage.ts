// Where an app keeps what must outlive it: the browser's `localStorage`, React Native's AsyncStorage, a
// file of its own on a server. Beside that, one writer at a time.

/** As of `localStorage`; each function may also answer later. */
export interface KeyValueStorage {
  getItem(key: string): string | null | undefined | Promise<string | null | undefined>;
  setItem(key: string, value: string): unknown;
  removeItem(key: string): unknown;
}

export async function readItem<T>(storage: KeyValueStorage, key: string): Promise<T | undefined> {
  const text = await storage.getItem(key);
  if (text === null || text === undefined) return undefined;
  return (JSON.parse(text) as T | null) ?? undefined;
}

/** Keeps room for an item that is written later, when the storage may be full; it is read as none. */
export async function reserveRoom(
  storage: KeyValueStorage,
  key: string,
  characters: number,
): Promise<void> {
  await storage.setItem(key, 'null'.padEnd(characters));
}

export async function writeItem(
  storage: KeyValueStorage,
  key: string,
  value: unknown,
): Promise<void> {
  await storage.setItem(key, JSON.stringify(value));
}

/** Carries out work after whatever was begun before it; in browsers also in other tabs. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATime(name: string): OneAtATime {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const locked = async () => {
      const locks = globalThis.navigator?.locks;
      return locks === undefined ? await work() : await locks.request(name, () => work());
    };
    const result = last.then(locked, locked);
    last = result;
    return result;
  };
}
