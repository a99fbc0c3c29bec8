// Compares rhumb lines with sequences of short geodesics.

import geodesic from 'geographiclib-geodesic';
import { expect, test } from 'vitest';
import { rhumbBetween } from '../../../shared/geo/rhumb.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const { WGS84 } = geodesic.Geodesic;
const STEPS = 4000;

/** The end of a line of constant course, followed in short steps. */
function sailed(longitude: number, latitude: number, course: number, meters: number) {
  let [lon, lat] = [longitude, latitude];
  for (let i = 0; i < STEPS; i++) {
    const middle = WGS84.Direct(lat, lon, course, meters / STEPS / 2);
    // Using the course at the middle of the step makes the error quadratic.
    const bent = WGS84.Inverse(lat, lon, middle.lat2!, middle.lon2!).azi2! - course;
    const end = WGS84.Direct(lat, lon, course - bent, meters / STEPS);
    [lon, lat] = [end.lon2!, end.lat2!];
  }
  return { lon, lat };
}

test('rhumbBetween returns a course and a length that lead to the end', () => {
  const random = seededRandom(20_261_128);
  for (let i = 0; i < 12; i++) {
    const [longitude, latitude] = [random() * 360 - 180, random() * 130 - 65];
    const [east, north] = [random() * 8 - 4, random() * 8 - 4];
    const { meters, course } = rhumbBetween(
      longitude,
      latitude,
      longitude + east,
      latitude + north,
    );
    const { lon, lat } = sailed(longitude, latitude, course, meters);
    const off = WGS84.Inverse(lat, lon, latitude + north, longitude + east).s12!;
    expect(off / meters, `${longitude} ${latitude} ${east} ${north}`).toBeLessThan(1e-5);
  }
});

test('rhumbBetween is exact along parallels and meridians and across 180°', () => {
  const degree = rhumbBetween(10, 0, 11, 0);
  expect(degree.meters).toBeCloseTo(111_319.49, 1);
  expect(degree.course).toBe(90);
  expect(rhumbBetween(179.5, 60, -179.5, 60).meters).toBeCloseTo(55_800.3, 0);
  expect(rhumbBetween(179.5, 60, -179.5, 60).course).toBe(90);
  expect(rhumbBetween(5, 50, 5, 49).course).toBe(180);
  expect(rhumbBetween(5, 50, 5, 50)).toEqual({ meters: 0, course: 0 });
});
