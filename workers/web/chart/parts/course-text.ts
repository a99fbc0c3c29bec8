// Formats courses and bearings.

/** Three digits: `045° T`. @param course degrees true */
export const courseText = (course: number): string =>
  `${String(Math.round(course) % 360).padStart(3, '0')}° T`;
