// Preparations that several projects ask for are made once in a run, and undone at its end.

/** Projects load their preparations as modules of their own; this is what they share. */
const SHARED = Symbol.for('leadline.prepared');
const shared = globalThis as { [SHARED]?: Map<string, Promise<unknown>> };

/** What `make` gave to the first that asked by this name in this process. */
export function oncePerRun<T>(name: string, make: () => Promise<T>): Promise<T> {
  shared[SHARED] ??= new Map();
  const made = (shared[SHARED].get(name) as Promise<T> | undefined) ?? make();
  shared[SHARED].set(name, made);
  return made;
}
