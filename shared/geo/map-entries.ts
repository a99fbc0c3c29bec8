// Entries of maps that are made when they are needed.

interface Entries<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** Adds a value to those of a key, in constant time: up to 200,000 files of a delivery may have the same name. */
export function pushTo<Key, Value>(map: Entries<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

/** The value of a key. If it is missing, it is made and stored. */
export function remembered<Key, Value>(
  map: Entries<Key, Value>,
  key: Key,
  make: () => Value,
): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
