// Straits and passages of the world: places before, in and behind each, from atlases, not from the
// background. Latitude first, degrees, to about a mile.

import type { Canal } from '../../../shared/route/passages.ts';

export interface StraitRow {
  readonly name: string;
  readonly places: readonly (readonly [latitude: number, longitude: number])[];
  readonly canals?: readonly Canal[];
}

const TEXT = `
Bonifacio|41.4 8.5, 41.31 9.2, 41.2 10
Messina|38.6 15.6, 38.22 15.61, 37.5 15.6
Little Minch|56.9 -7.9, 57.6 -6.9, 58.6 -5.8
Pentland Firth|58.8 -4.2, 58.71 -3.2, 58.6 -2.4
North Channel|56 -7.2, 55.2 -5.8, 54 -5.2
Dover|50.3 -0.4, 50.98 1.45, 52 2.6
Øresund|56.4 12.1, 56.04 12.66, 55.6 12.75, 55.1 12.7
Great Belt|56.3 11.3, 55.6 10.85, 55.3 11, 54.6 10.9
Little Belt|55.75 10.2, 55.52 9.72, 55.2 9.8, 54.75 10.1
Kalmar Strait|57.4 16.9, 56.65 16.4, 56 16.1
Irbe Strait|57.6 21, 57.75 22, 57.6 23.2
North Kvarken|62.8 19.5, 63.5 20.7, 64.2 22.2
Tjeldsund|68.1 15, 68.53 16.3, 68.62 16.54, 69 17.2
Kerch|44.8 36.5, 45.3 36.58, 45.7 36.7
Bosporus|40.9 28.9, 41.1 29.07, 41.4 29.2
Dardanelles|39.9 25.9, 40.2 26.4, 40.6 27.3
Gulf of Corinth|38.3 21, 38.32 21.78, 38.1 22.8
Euripus|38.83 22.95, 38.7 23.3, 38.46 23.6, 38.2 24.1
Otranto|38.5 18.5, 40.2 19, 42 18
Gibraltar|35.9 -6.8, 35.95 -5.6, 36.1 -4
Tiran|27.5 34.2, 28 34.46, 28.8 34.7
Bab-el-Mandeb|14 42.3, 12.6 43.35, 12.2 44.5
Hormuz|25.6 57, 26.5 56.6, 26.1 55.2
Mozambique Channel|-26 36, -16.5 41.7, -11 43
Sunda|-6.9 104.3, -6 105.7, -5.2 106.6
Bangka Strait|-3.5 106.8, -2.8 106, -2.1 105.1, -1.4 104.9
Lombok|-9.3 115.6, -8.6 115.75, -7.5 116
Ombai|-9 123.5, -8.4 125, -7.6 127
Makassar Strait|-5 118, 0 118.9, 2.5 120
San Bernardino|13 125.2, 12.6 124.2, 12.5 123.2
Surigao|10.75 125.6, 10.2 125.4, 9.5 124.9
Balabac|8.3 116.2, 7.6 117, 7 118
Torres|-10 144.6, -10.55 142.2, -10.6 140.8
Bass Strait|-39.5 142.5, -39.45 146.5, -38.6 149
Cook Strait|-40 173.7, -41.25 174.5, -42 175
Foveaux Strait|-46.9 166.9, -46.65 168.2, -46.6 169.4
Tsugaru|41 139.4, 41.35 140.4, 41.6 141.1, 41.5 142
Kanmon|34.2 130.6, 33.95 130.95, 33.85 131.4
Naruto|34.05 134.9, 34.24 134.65, 34.4 134.5
Nemuro Strait|44.4 145.1, 43.9 145.4, 43.2 146.1
La Pérouse|45.5 140.5, 45.75 142.1, 46 143.5
Tatary|49.5 140.9, 51 141, 52.2 141.55, 53.3 141.3, 54 140.5
Unimak|53.7 -163.3, 54.35 -164.9, 55 -166.6
Isanotski|54.6 -163, 54.8 -163.2, 54.86 -163.39, 55.2 -163.5
Icy Strait|58.1 -136.8, 58.27 -136, 58.1 -135
Juan de Fuca|48.5 -125.5, 48.25 -123.8, 48.3 -122.95
Haro Strait and Boundary Pass|48.5 -123.2, 48.79 -123.02, 49 -123.05
Discovery Passage and Johnstone|49.7 -124.8, 50.13 -125.35, 50.4 -125.8, 50.48 -126.5, 51 -128
Prince of Wales Strait|73.7 -113.3, 72.8 -118, 71 -121
Bellot Strait|71.95 -96.4, 72 -94.5, 72 -93
Simpson Strait|68.4 -99, 68.5 -97.3, 68.5 -95.2
Fury and Hecla|69.7 -81.5, 69.9 -84.3, 69.8 -86.5
Hudson Strait|60.6 -63.6, 61.8 -70, 62.9 -78.5
Belle Isle|50.6 -58.5, 51.45 -56.7, 52.2 -54.9
Cabot Strait|48.2 -61.6, 47.4 -59.8, 46.5 -58.6
Canso|45.9 -61.7, 45.64 -61.41, 45.3 -60.9
Northumberland Strait|45.85 -62.5, 46.2 -63.7, 46.9 -64.5
Yucatán Channel|19.9 -84.5, 21.8 -85.8, 23.6 -86
Windward Passage|21.6 -73.2, 20 -73.9, 18.4 -75.6
Mona Passage|19.6 -67.8, 18.3 -67.8, 17.2 -67.9
Straits of Florida|23.4 -82.8, 24.2 -80.9, 26.5 -79.6
Magellan|-52.4 -67.9, -52.6 -69.8, -53.8 -70.95, -53.5 -72.6, -52.6 -75.2
Beagle Channel|-55.2 -66.2, -54.88 -68.3, -54.95 -69.6, -55.2 -70.6
Le Maire|-54.2 -64.8, -54.8 -65.1, -55.4 -65.3
Matochkin|73.3 53.5, 73.28 56, 73.55 57.5
Kara Gate|70 55, 70.45 58, 71 61
Vilkitsky|77 96, 77.95 103, 77 111
Shokalsky|77.9 99, 78.7 100.2, 79.35 101.5, 79.3 103.5
Bering Strait|63.5 -170, 65.8 -168.8, 67 -168.5`;

export const STRAITS: readonly StraitRow[] = [
  ...TEXT.trim()
    .split('\n')
    .map((row) => {
      const [name, places] = row.split('|') as [string, string];
      return {
        name,
        places: places.split(', ').map((place) => place.split(' ').map(Number) as [number, number]),
      };
    }),
  {
    name: 'Kiel Canal',
    places: [
      [54, 8.2],
      [53.88, 9.15],
      [54.3, 9.7],
      [54.5, 10.3],
    ],
    canals: ['kiel'],
  },
];
