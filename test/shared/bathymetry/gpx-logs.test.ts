// GPX logs: points and depths as programs write them, other units, and damaged files.

import { describe, expect, it } from 'vitest';
import { readLog as read } from '../../support/read-log.ts';

describe('a GPX file', () => {
  const gpx = (points: string, more = '') =>
    `<?xml version="1.0"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"${more}><trk><trkseg>\n${points}\n</trkseg></trk></gpx>`;
  const T = '<time>2026-05-01T10:00:01Z</time>';
  it.each([
    `<trkpt lat="60.1" lon="24.9">${T}<extensions><gpxtpx:TrackPointExtension><gpxtpx:depth>4.25</gpxtpx:depth></gpxtpx:TrackPointExtension></extensions></trkpt>`,
    `<trkpt lon='24.9' lat='60.1'><extensions><opencpn:Depth> 4.25 </opencpn:Depth></extensions>${T}</trkpt>`,
    `<wpt lat="60.1" lon="24.9">${T}<depth unit="m">4.25</depth></wpt>`,
    `<wpt lat="60.1" lon="24.9">${T}<depth unit="">4.25</depth></wpt>`,
    '<wpt lat="60.1" lon="24.9"><time><![CDATA[2026-05-01T10:00:01Z]]></time><depth><![CDATA[4.25]]></depth></wpt>',
  ])('has the depth of %s', async (point) => {
    const others = `<trkpt lat="1" lon="2">${T}</trkpt><wpt lat="1" lon="2">${T}<depth/></wpt>`;
    expect(await read('gpx', gpx(`${point}\n${others}`))).toMatchObject({
      rows: [['2026-05-01T10:00:01.000Z', 60.1, 24.9, 4.25]],
      ...{ faults: [], ignored: 2 },
    });
  });

  it.each([
    [' creator="Humminbird"', '<h:depth>350.000000</h:depth>', 3.5],
    [' xmlns:h="http://www.humminbird.com"', '<h:depth>350</h:depth>', 3.5],
    [' xmlns:hb="http://www.HUMMINBIRD.com"', '<hb:depth>350</hb:depth>', 3.5],
    [' xmlns:h="urn:1" creator="Humminbird"', '<h:depth>350</h:depth>', 3.5],
    [' creator="Humminbird" xmlns:h="urn:1"', '<h:depth>350</h:depth>', 3.5],
    [' creator="Humminbird"', '<h:depth>350</h:depth><depth>3.6</depth>', 3.6],
    [' creator="Humminbird"', '<h:depth>350</h:depth><depth/>', 3.5],
    [' xmlns:h="urn:1"', '<h:depth>3.5</h:depth>', 3.5],
  ])('with%s and %s has the depth %d', async (more, depth, meters) => {
    const text = gpx(`<trkpt lat="60.1" lon="24.9">${T}${depth}</trkpt>`, more);
    expect((await read('gpx', text)).rows).toEqual([
      ['2026-05-01T10:00:01.000Z', 60.1, 24.9, meters],
    ]);
  });

  it.each([
    '<wpt lat="1" lon="2"><depth>4</depth></wpt>',
    '<rtept lat="1" lon="2"><time/><depth unit="ft">4</depth></rtept>',
    '<depth unit="ft">4</depth><wpt lat="1" lon="2"></wpt>',
  ])('ignores %s', async (other) => {
    const text = gpx(`${other}<trkpt lat="60.1" lon="24.9">${T}<depth>4</depth></trkpt>`);
    const { rows, faults, ignored } = await read('gpx', text);
    expect([rows.length, faults, ignored]).toEqual([1, [], 1]);
  });

  it.each([
    [gpx('<trkpt lat="60.1" lon="24.9"><depth>4</depth></trkpt>'), 3, 'time'],
    [gpx(`<trkpt lat="x" lon="24.9">${T}<depth>4</depth></trkpt>`), 3, 'latitude'],
    [gpx(`<trkpt lat="60" lon="24.9">${T}<depth>deep</depth></trkpt>`), 3, 'depth'],
    [gpx(`<trkpt lat="60" lon="24.9">${T}<depth units="ft">9</depth></trkpt>`), 3, 'metres'],
    ['<gpx>\n<trk>\n</gpx>', 3, 'well-formed'],
    ['no xml', 1, 'well-formed'],
    ['<a>'.repeat(100_000), 1, 'open elements'],
    [`<gpx ${Array.from({ length: 65 }, (_, i) => `a${i}="1"`).join(' ')}></gpx>`, 1, 'attributes'],
    ['<!DOCTYPE gpx [<!ENTITY a "b">]>\n<gpx>&a;</gpx>', 2, 'well-formed'],
  ])('names the line of a fault in %j', async (text, line, message) => {
    const { faults } = await read('gpx', text);
    expect(faults[0]).toEqual({ line, message: expect.stringContaining(message) });
  });
});
