// Feature identification numbers derived from names: the same object has the same number in every
// cell and in every build.

/** FIDN: from 1 to 2³¹. */
export function numberOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i++) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  }
  return (hash >>> 1) + 1;
}
