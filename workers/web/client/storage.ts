// Key-value storage, such as `localStorage`, React Native's AsyncStorage or a file on a server, and a lock
// for one writer at a time.

/** The interface of `localStorage`; functions may return promises. */
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

/** Reserves space for an item that is written later. `readItem` returns `undefined` for it. */
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

/** The last task of each name, for all users of the name: not every platform has locks. */
const lastTasks = new Map<string, Promise<unknown>>();

/** Runs tasks one at a time, in browsers also across tabs. */
export type OneAtATime = <T>(work: () => Promise<T>) => Promise<T>;

export function oneAtATime(name: string): OneAtATime {
  return (work) => {
    const locked = async () => {
      const locks = globalThis.navigator?.locks;
      return locks === undefined ? await work() : await locks.request(name, () => work());
    };
    const result = (lastTasks.get(name) ?? Promise.resolve()).then(locked, locked);
    lastTasks.set(name, result);
    return result;
  };
}
