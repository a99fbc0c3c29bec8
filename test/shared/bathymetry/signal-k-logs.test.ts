// Logs of Signal K: which depths are of the sender, and their positions.

import { describe, expect, it } from 'vitest';
import { readLog as read } from '../../support/read-log.ts';

describe('a log of Signal K', () => {
  const delta = (timestamp: string, values: object, context?: string) =>
    JSON.stringify({
      ...(context && { context }),
      updates: [
        { timestamp, values: Object.entries(values).map(([path, value]) => ({ path, value })) },
      ],
    });
  const position = { latitude: 60.1, longitude: 24.9 };

  it('combines depths with the position of the same vessel', async () => {
    const text = [
      '{"name":"server","version":"1.7.0","self":"vessels.urn:mrn:imo:mmsi:230099999"}',
      delta('2026-05-01T10:00:00.000Z', { 'navigation.position': position }),
      delta(
        '2026-05-01T10:00:00.500Z',
        { 'navigation.position': { latitude: 1, longitude: 2 } },
        'vessels.urn:mrn:imo:mmsi:1',
      ),
      `1777629601000;I;${delta('2026-05-01T10:00:01.000Z', { 'environment.depth.belowTransducer': 4.25, 'environment.depth.surfaceToTransducer': 0.5 })}`,
      delta('2026-05-01T10:00:02Z', { 'environment.depth.belowTransducer': null }),
      delta('2026-05-01T10:10:00Z', { 'environment.depth.belowTransducer': 9 }),
      '{"updates":[{"values":[{"path":"environment.depth.belowTransducer","value":1}]}]}',
      '{broken',
    ].join('\n');
    expect(await read('signalk', text)).toMatchObject({
      rows: [['2026-05-01T10:00:01.000Z', 60.1, 24.9, 4.25]],
      ...{ reference: 'transducer', transducerDepth: 0.5, ignored: 5 },
    });
  });

  const depthsOf = async (lines: readonly string[]) =>
    ((await read('signalk', lines.join('\n'))).rows as unknown[][]).map((row) => row[3]);
  const move = (context?: string) =>
    delta('2026-05-01T10:00:00Z', { 'navigation.position': position }, context);
  const sound = (depth: number, context?: string) =>
    delta('2026-05-01T10:00:00Z', { 'environment.depth.belowTransducer': depth }, context);

  it('combines positions and depths under all names of the sender', async () => {
    const lines = [
      '{"self":"urn:1"}',
      ...[move('vessels.urn:1'), sound(1), sound(2, 'vessels.self')],
      ...[
        delta('2026-05-01T10:00:00Z', { 'navigation.position': null }, 'vessels.self'),
        sound(3, 'vessels.urn:1'),
      ],
      ...[move(), sound(4, 'vessels.urn:1')],
      delta('2026-05-01T10:00:10Z', { 'environment.depth.belowTransducer': 5 }),
      delta('2026-05-01T10:00:11Z', { 'environment.depth.belowTransducer': 6 }),
      delta('2026-05-01T10:00:00Z', {
        'navigation.position': { latitude: null, longitude: null },
      }),
      sound(7),
    ];
    expect(await depthsOf(lines)).toEqual([1, 2, 4, 5]);
  });

  it('has the depths of the first vessel with one after a delta without a vessel and depth', async () => {
    expect(await depthsOf([move(), move('vessels.urn:1'), sound(1, 'vessels.urn:1')])).toEqual([1]);
  });

  it.each([
    ['of the hello line', ['hello', 'urn:1 1', 'urn:2 2', 'self 3', 'urn:1 4'], [1, 3, 4]],
    ['of vessels.self', ['self 1', 'urn:2 2', 'self 3'], [1, 3]],
    ['that is the first with a depth', ['urn:2', 'urn:1 1', 'urn:2 2', 'urn:1 3'], [1, 3]],
    ['of vessels.self once it appears', ['urn:2 1', 'self 2', 'urn:2 3'], [1, 2]],
  ])('has the depths of the vessel %s', async (_name, words, depths) => {
    const lines = words.map((word) => {
      if (word === 'hello') return '{"self":"urn:1"}';
      const [vessel, depth] = word.split(' ');
      const values = {
        'navigation.position': position,
        ...(depth && {
          'environment.depth.belowTransducer': Number(depth),
          'environment.depth.surfaceToTransducer': Number(depth) / 10,
        }),
      };
      return delta('2026-05-01T10:00:00Z', values, `vessels.${vessel}`);
    });
    const { rows, transducerDepth } = await read('signalk', lines.join('\n'));
    expect((rows as unknown[][]).map((row) => row[3])).toEqual(depths);
    expect(transducerDepth).toBe(depths[0]! / 10);
  });
});
