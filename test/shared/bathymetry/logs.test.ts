// Logs of other programs: the formats as programs write them, damaged lines, and random input in random pieces.
// NMEA values are compared with the parser of the Signal K project.

import { Parser } from '@signalk/nmea0183-signalk';
import { describe, expect, it } from 'vitest';
import { TooManySoundings } from '../../../shared/bathymetry/logs/log-soundings.ts';
import { LOG_FORMATS } from '../../../shared/bathymetry/logs/read-log.ts';
import { readLog as read, sentence } from '../../support/read-log.ts';
import { seededRandom } from '../../support/seeded-random.ts';

const RMC = 'GPRMC,123519.25,A,4807.038,N,01131.000,E,022.4,084.4,230326,003.1,W';
const FIX = ['2026-03-23T12:35:19.250Z', 48.1173, 11.516667] as const;

describe('a log of NMEA 0183', () => {
  it.each([
    [['SDDPT,7.6,0.4,'], 7.6, 'transducer', 0.4],
    [['SDDPT,7.6,-0.4,100'], 7.6, 'transducer', undefined],
    [['SDDBT,24.9,f,7.6,M,4.1,F'], 7.6, 'transducer', undefined],
    [['SDDBT,24.9,f,,M,,F'], 7.5895, 'transducer', undefined],
    [['SDDBT,,f,,M,4.1,F'], 7.4981, 'transducer', undefined],
    [['SDDBS,24.9,f,7.6,M,4.1,F'], 7.6, 'waterline', undefined],
    [['SDDBK,24.9,f,7.6,M,4.1,F'], 7.6, 'keel', undefined],
    [['SDDPT,7.6,0.4,', 'SDDBT,24.3,f,7.4,M,4.0,F'], 7.4, 'transducer', 0.4],
    [['SDDPT, 7.6 ,0.4,'], 7.6, 'transducer', 0.4],
    [['D2DPT,7.6,0.4,'], 7.6, 'transducer', 0.4],
    [['SDDBK,,f,6.6,M,,F', 'SDDBS,,f,8.0,M,,F'], 8, 'waterline', undefined],
    [['SDDBK,,f,6.6,M,,F', 'SDDPT,7.6,0.4,'], 7.6, 'transducer', 0.4],
    [['SDDPT,7.6,0.4,', 'SDDBS,,f,8.0,M,,F'], 8, 'waterline', 0.4],
  ] as const)('has the depth of %j', async (sentences, depth, reference, transducerDepth) => {
    const text = [RMC, ...sentences].map((one) => `${sentence(one)}\r\n`).join('');
    const read1 = await read('nmea0183', text);
    expect(read1).toMatchObject({ rows: [[...FIX, depth]], reference, transducerDepth });
    const parsed = new Parser({}).parse(sentence(sentences.at(-1)!)) as {
      updates: { values: { path: string; value: number }[] }[];
    };
    const name = { transducer: 'belowTransducer', waterline: 'belowSurface', keel: 'belowKeel' }[
      reference
    ];
    const theirs = parsed.updates[0]!.values.find(
      ({ path }) => path === `environment.depth.${name}`,
    )!;
    // The parser prefers feet to fathoms, as we do, and does not read fathoms alone.
    if (theirs.value !== null) expect(theirs.value).toBeCloseTo(depth, 3);
  });

  it.each([
    ['keel', 6.6, 'keel', 1],
    ['waterline', 7.6, 'transducer', 1],
    [undefined, 7.6, 'transducer', 1],
  ] as const)(
    'has the depths from the wanted %s if there are such',
    async (wanted, depth, reference, ignored) => {
      const text = [RMC, 'SDDPT,7.6,0.4,', 'SDDBK,21.7,f,6.6,M,3.6,F'].map(sentence).join('\n');
      const found = await read('nmea0183', text, wanted === undefined ? {} : { wanted });
      expect(found).toMatchObject({ rows: [[...FIX, depth]], reference, ignored });
    },
  );

  it.each([
    ['keel', 'SDDPT,7.6,-1.2,', 6.4, 'keel', 1],
    ['keel', 'SDDPT,0.9,-1.2,', -0.3, 'keel', 1],
    ['keel', 'SDDPT,0.0,-1.2,', 7.5, 'transducer', 1],
    ['keel', 'SDDPT,7.6,-41,', 7.5, 'transducer', 0],
    ['waterline', 'SDDPT,7.6,-1.2,', 7.5, 'transducer', 0],
    [undefined, 'SDDPT,7.6,-1.2,', 7.5, 'transducer', 0],
  ] as const)('with %s wanted has of %s and DBT the depth %d', async (wanted, dpt, ...expected) => {
    const text = [RMC, dpt, 'SDDBT,,f,7.5,M,,F'].map(sentence).join('\n');
    const [depth, reference, ignored] = expected;
    const found = await read('nmea0183', text, wanted === undefined ? {} : { wanted });
    expect(found).toMatchObject({ rows: [[...FIX, depth]], reference, ignored });
  });

  it('has times across midnight from GGA, and dates from ZDA', async () => {
    const text = [
      'SDDPT,1.0,0.0,',
      'GPGGA,235950,4807.038,N,01131.000,W,1,08,0.9,545.4,M,46.9,M,,',
      'GPZDA,235955.00,31,12,2025,00,00',
      'GPGGA,235959,4807.038,S,01131.000,W,1,08,0.9,545.4,M,46.9,M,,',
      'SDDPT,2.0,0.0,',
      'GPGLL,4807.038,S,01131.000,W,000001,A',
      'SDDPT,3.0,0.0,',
      'GPGGA,000003,4807.038,S,01131.000,W,0,00,,,M,,M,,',
      'SDDPT,4.0,0.0,',
    ].map(sentence);
    expect(await read('nmea0183', text.join('\n'))).toMatchObject({
      rows: [
        ['2025-12-31T23:59:59.000Z', -48.1173, -11.516667, 2],
        ['2026-01-01T00:00:01.000Z', -48.1173, -11.516667, 3],
      ],
      ignored: 2,
    });
  });

  it('has the date of ZDA for the first position after midnight', async () => {
    const at = (day: string, time: string) => [
      `GPZDA,${time}.00,${day},2025,00,00`,
      `GPGGA,${time},4807.038,S,01131.000,W,1,08,0.9,545.4,M,46.9,M,,`,
      'SDDPT,2.0,0.0,',
    ];
    const text = [...at('31,05', '235959'), ...at('01,06', '000000')].map(sentence);
    const { rows } = (await read('nmea0183', text.join('\n'))) as { rows: unknown[][] };
    expect(rows.map(([time]) => time)).toEqual([
      '2025-05-31T23:59:59.000Z',
      '2025-06-01T00:00:00.000Z',
    ]);
  });

  it('has the right day if a second receiver is late after midnight', async () => {
    const gga = (time: string) => [
      `GPGGA,${time},4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,`,
      'SDDPT,2.0,0.0,',
    ];
    const times = ['235958', '000000', '235959.90', '000001'];
    const text = ['GPZDA,235957,31,05,2026,00,00', ...times.flatMap(gga)].map(sentence);
    const { rows } = (await read('nmea0183', text.join('\n'))) as { rows: unknown[][] };
    expect(rows.map(([time]) => time)).toEqual([
      '2026-05-31T23:59:58.000Z',
      '2026-06-01T00:00:00.000Z',
      '2026-05-31T23:59:59.900Z',
      '2026-06-01T00:00:01.000Z',
    ]);
  });

  it('has no positions after a pause until the next date', async () => {
    const gga = (time: string) => `GPGGA,${time},4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,`;
    const text = [
      ...['GPZDA,200000,31,05,2026,00,00', gga('200000'), 'SDDPT,1,0', gga('090000'), 'SDDPT,2,0'],
      ...[gga('090001'), 'SDDPT,3,0', 'GPZDA,090001,01,06,2026,00,00', gga('090002'), 'SDDPT,4,0'],
      gga('090003'),
    ].map(sentence);
    const { rows } = (await read('nmea0183', text.join('\n'))) as { rows: unknown[][] };
    expect(rows.map(([time, , , depth]) => [time, depth])).toEqual([
      ['2026-06-01T09:00:02.000Z', 4],
    ]);
  });

  const GLL = 'IIGLL,4807.038,N,01131.000,E,,A,A';
  const DTM = (datum: string) => `GPDTM,${datum},,0.08,N,0.07,E,-47.7,W84`;
  it.each([
    ['a position without a time', [RMC, GLL, 'SDDPT,2,0'], 1, 0],
    ['the receiver as GN without a fix', [RMC, 'GNRMC,,V,,,,,,,,,,N', 'SDDPT,2,0'], 0, 1],
    ['a second receiver without a position', [RMC, 'AIRMC,,V,,,,,,,,,,N', 'SDDPT,2,0'], 1, 0],
    [
      'a second receiver without a position ten seconds later',
      [RMC, 'AIRMC,123530,V,,,,,,,,,,N', 'SDDPT,2,0'],
      0,
      1,
    ],
    ['a local datum', [DTM('999'), RMC, 'SDDPT,2,0'], 0, 1],
    ['a local datum that follows the first position', [RMC, 'SDDPT,2,0', DTM('555')], 0, 1],
    ['a local datum of another receiver', [DTM('999'), GLL, DTM('W84'), RMC, 'SDDPT,2,0'], 1, 0],
    ['WGS 84 of another receiver', [DTM('999'), 'IIDTM,W84', RMC, 'SDDPT,2,0'], 0, 1],
    ['a datum near WGS 84', [DTM('P90'), RMC, 'SDDPT,2,0'], 1, 0],
    ['an empty datum', [DTM(''), RMC, 'SDDPT,2,0'], 1, 0],
    ['a depth of zero', [RMC, 'SDDPT,0.0,0', 'SDDPT,2,0'], 1, 1],
    ['only a depth of zero', [RMC, 'SDDBT,0,f,0.0,M,0,F'], 0, 1],
    ['a date in the future', [RMC, 'GPZDA,123519.25,23,03,2070,00,00', 'SDDPT,2,0'], 1, 0],
    ['a date of 1024 weeks ago', [RMC.replace('230326', '070806'), 'SDDPT,2,0'], 0, 1],
  ])('uses depths with %s, or counts them', async (_name, bodies, used, ignored) => {
    const found = await read('nmea0183', bodies.map(sentence).join('\n'));
    expect(found).toMatchObject({ rows: Array(used).fill([...FIX, 2]), ignored });
  });

  const GLL_AT = (second: number) => `IIGLL,4807.038,N,01131.000,E,1235${second},A,A`;
  const D = 'SDDPT,2,0';
  const RMC_AT = (second: number) => RMC.replace('123519.25', `1235${second}`);
  const countOf = async (bodies: readonly string[]) => {
    const { rows, ignored } = await read('nmea0183', bodies.map(sentence).join('\n'));
    return [rows.length, ignored];
  };
  it('uses the depths of two receivers whose clocks differ, but not those of a pause', async () => {
    const text = Array.from({ length: 9 }, (_, i) => [RMC_AT(20 + i), D, GLL_AT(38 + i), D]).flat();
    expect(await countOf(text)).toEqual([18, 0]);
    expect(await countOf([...text.slice(0, -1), RMC, D, GLL_AT(58)])).toEqual([17, 1]);
    const back = GLL_AT(20).replace('II', 'GP').replace('1235', '1237');
    expect(await countOf([RMC, D, GLL_AT(20), D, D, D, D, back, D])).toEqual([2, 4]);
    const change = (by: (body: string) => string[]) =>
      text.flatMap((body) => (body.startsWith('II') ? by(body) : [body]));
    expect((await countOf(change(() => ['IIRMC,110000,V,,,,,,,,,'])))[1]).toBe(2);
    const zda = change((body) => [`IIZDA,${body.slice(29, 35)},,,,00,00`, body]);
    expect((await countOf(zda))[1]).toBe(1);
  });

  it('does not take a pause of the second receiver for a difference of the clocks', async () => {
    const both = Array.from({ length: 9 }, (_, i) => [RMC_AT(29 + i), GLL_AT(29 + i)]).flat();
    const start = [RMC_AT(20), GLL_AT(28), ...both];
    expect(await countOf([...start, RMC_AT(38), D, GLL_AT(55)])).toEqual([0, 1]);
    expect(await countOf([...start, GLL_AT(38), D, RMC_AT(42)])).toEqual([1, 0]);
  });

  it.each(['\n', '\r', '\r\n', '', ' ok '])('reads sentences with %j between them', async (end) => {
    const text = [RMC, 'SDDPT,7.6,0.4'].map(sentence).join(end);
    expect(await read('nmea0183', text)).toMatchObject({ rows: [[...FIX, 7.6]], ignored: 0 });
  });

  it('reads sentences in CSV, as the VDR of OpenCPN records them', async () => {
    const row = (body: string) => `2026-03-23T12:00:00.000Z,NMEA0183,,"${sentence(body)}"\r\n`;
    const text = `timestamp,type,id,message\r\n${row(RMC)}${row('SDDPT,7.6,0.4')}`;
    expect(await read('nmea0183', text)).toMatchObject({ rows: [[...FIX, 7.6]], ignored: 1 });
  });

  const later = (time: string) => RMC.replace('123519.25', time).replace('4807', '4907');
  it.each([
    [['SDDPT,2,0'], [later('123529')], 1],
    [['SDDPT,2,0'], [later('123530')], 0],
    [['SDDPT,2,0'], [later('153519')], 0],
    [['SDDPT,2,0'], [later('123529').replace(',A,', ',V,')], 1],
    [['SDDPT,2,0'], [later('153519').replace(',A,', ',V,')], 0],
    [['SDDPT,2,0'], ['GPZDA,123530,23,03,2026,00,00', 'SDDPT,1,0'], 0],
    [Array(10).fill('SDDPT,2,0'), [], 1],
    [Array(11).fill('SDDPT,2,0'), [], 0],
    [Array(11).fill('SDDPT,2,0'), ['IIGLL,4807.038,N,01131.000,E,123520,A,A'], 0],
  ])('does not combine depths with an old position: %j before %j', async (depths, after, count) => {
    const text = [RMC, ...depths, ...after].map(sentence).join('\n');
    const { rows, ignored } = await read('nmea0183', text);
    expect(rows).toEqual(Array(count).fill([...FIX, 2]));
    const sent = depths.length + after.filter((one) => one.startsWith('SDDPT')).length;
    expect(ignored).toBe(count === 0 ? sent : 0);
  });

  it.each([
    [
      'GPRMC,123520,A,4807.038,N,01131.000,E,,,230326,,',
      ['', ',A', ',D', ',R,V'],
      [',E', ',M', ',N', ',S,V'],
    ],
    ['GPGLL,4807.038,N,01131.000,E,123520,A', ['', ',A', ',F', ',P'], [',E', ',M', ',N', ',S']],
    ['GNGNS,123520,4807.038,N,01131.000,E', [',AN,08', ',NF,08'], [',,08', ',N,08', ',EM,08']],
    [
      'GPGGA,123520,4807.038,N,01131.000,E',
      [',1,08', ',4,08', ',5,08'],
      [',,08', ',0,08', ',6,08', ',7,08', ',8,08'],
    ],
  ])('uses measured positions of %s, and no others', async (start, measured, others) => {
    const usedAfter = async (end: string) =>
      (await read('nmea0183', [RMC, start + end, 'SDDPT,2,0'].map(sentence).join('\n'))).rows
        .length;
    for (const end of measured) expect([end, await usedAfter(end)]).toEqual([end, 1]);
    for (const end of others) expect([end, await usedAfter(end)]).toEqual([end, 0]);
  });

  const DBT = 'SDDBT,24.9,f,7.6,M,4.1,F';
  it.each([
    ['nothing has a checksum', [`$${RMC}`, `1,"$${DBT}",2`], 0],
    ['one without a checksum is cut', [`$${RMC}`, `$${DBT}`, '$SDDBT,24.9,f,7', '$SDDPT,1'], 2],
    ['positions have checksums', [sentence(RMC), `$${DBT}`], 0],
    ['depths have checksums', [`$${RMC}`, sentence(DBT)], 0],
    ['another talker has checksums', [sentence(RMC), sentence('IIDBT,,f,9.5,M,,F'), `$${DBT}`], 0],
    ['a sentence is cut', [sentence(RMC), sentence(DBT), '$SDDBT,24.9,f,7'], 1],
    ['a checksum is cut', [sentence(RMC), sentence(DBT), sentence(DBT).slice(0, -1)], 1],
  ])('has the depth if %s', async (_, lines, ignored) => {
    const log = await read('nmea0183', lines.join('\r\n'));
    expect(log).toMatchObject({ rows: [[...FIX, 7.6]], ignored });
  });

  it('ignores damaged sentences, other text, and positions that the receiver marks as invalid', async () => {
    const lines = [
      `\\s:gps,c:1457*2A\\${sentence(RMC)}`,
      `${sentence('SDDPT,5.5,0.4,').slice(0, -2)}00`,
      '$SDDPT,5.5,0.4,',
      'garbage',
      sentence('SDDPT,,,'),
      sentence('SDDPT,NaN,0,'),
      sentence('SDDPT,99999,0,'),
      sentence(RMC.replace(',A,', ',V,')),
      sentence('SDDPT,6.5,0.4,'),
    ];
    expect(await read('nmea0183', lines.join('\n'))).toMatchObject({
      ...{ rows: [], faults: [], ignored: 7 },
    });
  });
});

describe('a CSV file', () => {
  const row = '2026-05-01T10:00:01Z';
  it.each([
    [`LON,LAT,DEPTH,TIME\r\n24.9,60.1,4.25,${row}`, undefined, 4.25],
    [`\ufefftime;latitude;longitude;depth (m)\n${row};60,1;24,9;4,25\n`, undefined, 4.25],
    [`"Time"\t"Lat"\t"Lon"\t"Depth_ft"\n${row}\t60.1\t24.9\t10`, undefined, 3.048],
    [`time,lat,lng,water depth\n${row},60.1,24.9,10`, 'feet', 3.048],
    [`time,lat,lng,depth_m\n${row},60.1,24.9,10`, 'feet', 10],
    [
      'note,timestamp,y,x,depth\n"a, ""b""\n",1777629601000,60.1,24.9,10\n,,,,\n',
      'fathoms',
      18.288,
    ],
    [`x,y,lat,lon,depth,time\n1,2,60.1,24.9,4.25,${row}`, undefined, 4.25],
    [`lat,lon,depth,utc,time\n60.1,24.9,4.25,10:00,${row}`, undefined, 4.25],
    [`lat,lon,depth,utc,time\n60.1,24.9,4.25,100001,${row}`, undefined, 4.25],
    [`lat,lon,depth,time,utc\n60.1,24.9,4.25,2026-05-01T12:00:01,${row}`, undefined, 4.25],
    [`lat,lon,depth,utc,time\n60.1,24.9,4.25,20260501100001,${row}`, undefined, 4.25],
    [`lat,lon,depth,time,timestamp\n60.1,24.9,4.25,${row},${row}`, undefined, 4.25],
    [
      `lat,lon,depth,utc,timestamp\n60.1,24.9,4.25,,1777629601000\n60.1,24.9,4.25,20260501T120001+0200,\n60.1,24.9,4.25,,${row}`,
      undefined,
      4.25,
    ],
    [`lat;lon;depth;time\n60,1;24,9;4,250;${row}`, undefined, 4.25],
    [`lat;lon;depth;time\n60.1;24.9;0,523;${row}`, undefined, 0.523],
    [`lat,lon,depth,time,a,b\n60.1,24.9,4.25,${row},N,S`, undefined, 4.25],
    ...['variation e/w', 'Mag Var E/W', 'mode indicator', 'course e/w'].map(
      (name) => [`lat,lon,depth,time,${name}\n60.1,24.9,4.25,${row},E`, undefined, 4.25] as const,
    ),
    [`sep=;\r\nlat;lon;depth;time\r\n60,1;24,9;4,25;${row}`, undefined, 4.25],
    [`\ufeffsep=,\nlat,lon,depth,time\n60.1,24.9,4.25,${row},,\n,,,,x`, undefined, 4.25],
    [`direction,lat,lon,depth,time\nE,60.1,24.9,4.25,${row}`, undefined, 4.25],
    [`lat,lon,depth,time,current_dir,swell_dir\n60.1,24.9,4.25,${row},N,W`, undefined, 4.25],
    [`lat,lon,wind,depth,time\n60.1,24.9,N,4.25,${row}\n,,N,4,${row}`, undefined, 4.25],
  ] as const)('has the depth of %j in %s', async (text, units, depth) => {
    const found = await read('csv', text, units === undefined ? {} : { units });
    expect(found.faults).toEqual([]);
    const distinct = new Set(found.rows.map((one) => JSON.stringify(one)));
    expect([...distinct]).toEqual([
      JSON.stringify(['2026-05-01T10:00:01.000Z', 60.1, 24.9, depth]),
    ]);
  });

  it.each([
    ['', 'undefined'],
    ['lat,lon,depth\n1,2,3', '1 has no column time'],
    ...['60,1,24,9,4,25', '60.1,24.9,1,250.5', '60.1,24.9,4,,5'].map((values) => [
      `time,lat,lon,depth\n${row},${values}`,
      '2 has more values than there are column names',
    ]),
    [
      'lat,lon,depth,time\n1,2,3,1777629601',
      '2 time is outside the accepted range; write epoch times in milliseconds',
    ],
    ...[
      'lat,N/S,lon,E/W',
      'lat,lat_hem,lon,lon_hem',
      'lat,x1,lon,x2',
      'lat,,lon,',
      'lat,lat dir,lon,dir',
      'lat,N/S Indicator,lon,E/W Indicator',
      'lat,ns_indicator,lon,ew_indicator',
      'lat,quadrant,lon,side',
    ].map((names) => [
      `time,depth,${names}\n${row},2,33.85,S,18.4,E`,
      '2 has hemispheres: write degrees with a sign instead',
    ]),
    ...[
      'N/S Indicator,Latitude,Depth,E/W Indicator,Longitude,Time,note,note',
      'side,Latitude,Depth,side,Longitude,Time,note,note',
      'dir1,note,Depth,dir2,note,Time,Latitude,Longitude',
      'ns indicator,note,Depth,wind,note,Time,Latitude,Longitude',
    ].map((names) => [
      `${names}\nS,33.85,4,W,18.4,${row},33.85,18.4\nn,33.85,4,e,18.4,${row},33.85,18.4`,
      '2 has hemispheres: write degrees with a sign instead',
    ]),
    [
      `lat,lon,depth,time\n91,2,3,${row}\n1,2,x,${row}\n1,2,3,now`,
      '2 latitude must be a number from -90 to 90',
    ],
    ...[
      `utc\n1,2,3,2026-05-01T12:00:01,${row}\n1,2,3,2026-05-01T12:00:02,`,
      `utc\n1,2,3,2026-05-01T12:00:01,\n1,2,3,2026-05-01T12:00:02,${row}`,
      'timestamp\n1,2,3,2026-05-01T12:00:01,1777629601000\n1,2,3,,1777629602000',
    ].map((text) => [
      `lat,lon,depth,time,${text}`,
      '3 has its time in another column than the first row: one of them may be local time',
    ]),
    [`lat;lon;depth;time\n60.1;24.9;1,234;${row}`, '2 depth must have no separator of thousands'],
    [`lat,lon,depth,time\n1,2,3,"${row}`, '2 is not CSV'],
    [`lat,lon,depth,time\n1,2,3,${'9'.repeat(20_000)}`, '2 is not CSV'],
  ])('names the line of a fault in %j', async (text, fault) => {
    const [first] = (await read('csv', text)).faults;
    expect(first === undefined ? 'undefined' : `${first.line} ${first.message}`).toBe(fault);
  });

  it('is refused with too many soundings', async () => {
    const text = `lat,lon,depth,time\n${`1,2,3,${row}\n`.repeat(11)}`;
    await expect(read('csv', text, { most: 10 })).rejects.toThrow(TooManySoundings);
    expect((await read('csv', text, { most: 11 })).rows).toHaveLength(11);
  });
});

const SEED = 20_261_126;
it(`reads random input in pieces of any size, and the same in one piece (seed ${SEED})`, async () => {
  const random = seededRandom(SEED);
  const words = [
    ...'$|SDDPT|,|7.6|*|\n|{"updates":[|]}|<trkpt lat="1"|>|</trkpt>|"|;|\0|é'.split('|'),
    ...'lat,lon,depth,time\n|1,2,3,2026-05-01T00:00:00Z\n|<gpx>|&'.split('|'),
    sentence(RMC),
  ];
  for (let round = 0; round < 300; round++) {
    const text = Array.from(
      { length: 1 + Math.floor(random() * 40) },
      () => words[Math.floor(random() * words.length)],
    ).join('');
    for (const format of LOG_FORMATS) {
      const whole = await read(format, text, { piece: 1e6 });
      const parts = await read(format, text, { piece: 1 + Math.floor(random() * 9) });
      expect(parts.rows, `${format} ${JSON.stringify(text)}`).toEqual(whole.rows);
      expect(parts.faults.length > 0, `${format} ${JSON.stringify(text)}`).toBe(
        whole.faults.length > 0,
      );
    }
  }
});
