// Maps with several values for each key.

/** Adds a value to those of a key, in constant time: a delivery may contain 200,000 files of one name. */
export function pushTo<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}
