// Hostile request bodies, found or invented, that are kept as a regression corpus: text or bytes, and
// the allowed statuses. The test that sends them describes the checks.

export type Body = string | Uint8Array;
export type Kept = readonly [name: string, body: Body, ...statuses: readonly number[]];

const json = (value: unknown): string => JSON.stringify(value);
const bytes = (...parts: readonly (string | readonly number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));
const utf16 = (text: string): Uint8Array => Buffer.from(text, 'utf16le');
const latin1 = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

/** Not a JSON object in UTF-8: invalid for every endpoint. */
const NO_OBJECT: readonly Kept[] = [
  ['nothing', '', 400],
  ['blanks', ' \n\t', 400],
  ['a list', '[]', 400],
  ['a number', '5', 400],
  ['a text', '"x"', 400],
  ['null', 'null', 400],
  ['half an object', '{"a":', 400],
  ['single quotes', "{'a':1}", 400],
  ['a trailing comma', '{"a":1,}', 400],
  ['a comment', '{/**/"a":1}', 400],
  ['NaN', '{"a":NaN}', 400],
  ['a sign before a number', '{"a":+1}', 400],
  ['a leading zero', '{"a":01}', 400],
  ['a form feed after it', '{}\f', 400],
  ['a no-break space before it', '\u00a0{}', 400],
  ['a record separator before it', '\x1e{}', 400],
  ['two byte order marks', '\ufeff\ufeff{}', 400],
  ['UTF-16 with its mark', utf16('\ufeff{}'), 400],
  ['UTF-16 without', utf16('{}'), 400],
  ['a byte that is invalid in UTF-8', bytes('{"a":"', [0xff], '"}'), 400],
  ['NUL in an overlong encoding', bytes('{"a":"', [0xc0, 0x80], '"}'), 400],
  ['half a surrogate pair in UTF-8', bytes('{"a":"', [0xed, 0xa0, 0x80], '"}'), 400],
  ['letters in Latin-1', latin1('{"a":"é"}'), 400],
  ['twenty thousand brackets', `{"a":${deep(20_000)}}`, 400, 413],
  ['an XML document', '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>', 400],
  ['a table', 'latitude,longitude,depth,time\n1,2,3,4', 400],
  ['a sentence of NMEA 0183', '$SDDBT,1.0,f,2.0,M,3.0,F*00', 400],
  ['a form', 'reportType=hazard&latitude=1', 400],
];

const PLACE = '"position":{"latitude":1,"longitude":2}';
const report = (more: string): string => `{"reportType":"hazard",${PLACE}${more}}`;
const at = (latitude: string, longitude: string): string =>
  `{"reportType":"hazard","position":{"latitude":${latitude},"longitude":${longitude}}}`;

export const REPORTS: readonly Kept[] = [
  ...NO_OBJECT,
  ['a sound one', report(''), 201],
  ['a byte order mark before it', `\ufeff${report('')}`, 201],
  ['two of them', report('') + report(''), 400],
  ['two kinds, the last one valid', `{"reportType":"x","reportType":"hazard",${PLACE}}`, 201],
  ['all of it in the prototype', `{"__proto__":${report('')}}`, 400],
  [
    'its place in a prototype',
    '{"reportType":"hazard","position":{"__proto__":{"latitude":1}}}',
    400,
  ],
  ['a prototype in its properties', report(',"properties":{"__proto__":{"a":1}}'), 201],
  [
    'fields that only the service may set',
    report(',"upvoteCount":9,"isOwner":true,"deletedAt":5'),
    201,
  ],
  ['a name of a method as its kind', `{"reportType":"toString",${PLACE}}`, 400],
  ['a list as its kind', `{"reportType":["hazard"],${PLACE}}`, 400],
  ['capitals in its kind', `{"reportType":"Hazard",${PLACE}}`, 400],
  ['the east end', at('0', '180'), 201],
  ['the west end', at('0', '-180'), 201],
  ['a pole', at('-90', '0'), 201],
  ['beyond the east end', at('0', '180.0000001'), 400],
  ['beyond a pole', at('90.0000001', '0'), 400],
  ['a number beyond the range of numbers', at('1e400', '0'), 400],
  ['minus nothing', at('-0', '-0'), 201],
  ['the smallest positive number', at('5e-324', '0'), 201],
  ['three thousand digits', at(`1.${'0'.repeat(3000)}1`, '0'), 201],
  ['a number as a text', at('"1"', '0'), 400],
  ['null as a number', at('null', '0'), 400],
  ['a list as a number', at('[1]', '0'), 400],
  ['true as a number', at('true', '0'), 400],
  ['NUL in its properties', report(',"properties":{"a":"\\u0000"}'), 400],
  ['half a surrogate pair in its properties', report(',"properties":{"a":"\\ud800"}'), 400],
  ['half a surrogate pair as a key', report(',"properties":{"\\udc00":1}'), 400],
  [
    'characters that change the text direction',
    report(',"properties":{"a":"\u202e\u2066x\u200f"}'),
    201,
  ],
  ['58 brackets', report(`,"properties":{"a":${deep(58)}}`), 201],
  ['a list as properties', report(',"properties":[]'), 400],
  ['null as properties', report(',"properties":null'), 201],
  ['properties that are too large', report(`,"properties":{"a":"${'x'.repeat(17_000)}"}`), 400],
  ['a body that is too large', report(`,"properties":{"a":"${'x'.repeat(70_000)}"}`), 413],
  ['a number that would lose precision', report(',"properties":{"a":12345678901234567890}'), 400],
  ['the nil id', report(',"id":"00000000-0000-0000-0000-000000000000"'), 400],
  ['an id of version 1', report(',"id":"c232ab00-9414-11ec-b3c8-9f6bdeced846"'), 400],
  ['an id in braces', report(',"id":"{6f9619ff-8b86-4d01-b42d-00cf4fc964fe}"'), 400],
  ['an id with a line end', report(',"id":"6f9619ff-8b86-4d01-b42d-00cf4fc964fe\\n"'), 400],
  ['a number as id', report(',"id":5'), 400],
  ['null as id', report(',"id":null'), 201],
  ['NUL in its user', report(',"externalUserId":"\\u0000"'), 400],
  ['half a surrogate pair as its user', report(',"externalUserId":"\\ud800"'), 400],
  ['a user of 257 letters', report(`,"externalUserId":"${'x'.repeat(257)}"`), 400],
];

export const VOTES: readonly Kept[] = [
  ...NO_OBJECT,
  ['a sound one', '{"vote":"valid"}', 200],
  ['capitals', '{"vote":"Valid"}', 400],
  ['true', '{"vote":true}', 400],
  ['a list', '{"vote":["valid"]}', 400],
  ['two votes, the last one valid', '{"vote":"x","vote":"invalid"}', 200],
  ['a prototype', '{"__proto__":{"vote":"valid"}}', 400],
  ['NUL in its user', '{"vote":"valid","externalUserId":"a\\u0000"}', 400],
  ['more than 4 KiB', `{"vote":"valid","x":"${'y'.repeat(5000)}"}`, 413],
];

const SOUND = '"latitude":1,"longitude":2,"depth":3';
const sounding = (more: string): string => `{"soundings":[{${SOUND},"time":1}]${more}}`;
const timed = (time: unknown): string => `{"soundings":[{${SOUND},"time":${json(time)}}]}`;
const measured = (fields: string): string => `{"soundings":[{${fields},"time":1}]}`;

const TIMES: readonly (readonly [time: unknown, ...statuses: readonly number[]])[] = [
  [0, 201],
  [-1, 400],
  [1.9, 201],
  ['1700000000000', 201],
  ['+1', 201],
  ['1e3', 400],
  ['2024', 201],
  ['2016-12-31T23:59:60Z', 201],
  ['2016-12-31T23:60:00Z', 400],
  ['2024-01-01T24:00:00Z', 201],
  ['2024-01-01T24:01:00Z', 400],
  ['2024-02-30T00:00:00Z', 400],
  ['2023-02-29T00:00:00Z', 400],
  ['2024-W01-1', 400],
  ['2024-001', 400],
  ['2024-01-01T00:00:00+24:00', 400],
  ['2024-01-01T00:00:00+14:00', 201],
  ['2024-01-01T00:00:00+14:01', 400],
  ['0000-01-01T00:00:00Z', 400],
  ['+002024-01-01T00:00:00Z', 400],
  ['-000001-01-01T00:00:00Z', 400],
  ['2024-01-01t00:00:00z', 201],
  ['2024-01-01T00:00:00Z\n', 400],
  [' 2024-01-01T00:00:00Z', 400],
  ['2024-01-01T00:00:00.123456789123456789Z', 201],
  ['٢٠٢٤-01-01T00:00:00Z', 400],
  ['20240101T00:00:00Z', 400],
  ['20240101T000000Z', 201],
  ['9007199254740993', 400],
  ['1969-12-31T23:59:59Z', 400],
  ['1970-01-01T00:30:00+01:00', 400],
  ['', 400],
  [null, 400],
  [true, 400],
  [{}, 400],
];

export const SOUNDINGS: readonly Kept[] = [
  ...NO_OBJECT,
  ['a sound one', sounding(''), 201],
  ['a byte order mark before it', `\ufeff${sounding('')}`, 201],
  ['none', '{"soundings":[]}', 400],
  ['an object in place of a list', '{"soundings":{}}', 400],
  ['null in the list', '{"soundings":[null]}', 400],
  ['lists in the list', '{"soundings":[[1,2,3,4]]}', 400],
  ['a prototype in the list', `{"soundings":[{"__proto__":{${SOUND},"time":1}}]}`, 400],
  ['text after it', `${sounding('')}x`, 400],
  ['its end cut off', sounding('').slice(0, -1), 400],
  [
    'the name of the list in escape sequences',
    sounding('').replace('soundings', 'so\\u0075ndings'),
    201,
  ],
  ['two lists, the last one null', `{"soundings":[{${SOUND},"time":1}],"soundings":null}`, 400],
  ['two latitudes, the last one valid', measured(`"latitude":99,${SOUND}`), 201],
  ['a list of that name elsewhere', `{"x":{"soundings":[1]},${sounding('').slice(1)}`, 201],
  ['beyond a pole', measured('"latitude":91,"longitude":2,"depth":3'), 400],
  ['the west end', measured('"latitude":1,"longitude":-180,"depth":3'), 201],
  ['beyond the west end', measured('"latitude":1,"longitude":-180.0001,"depth":3'), 400],
  ['a drying height of 20 m', measured('"latitude":1,"longitude":2,"depth":-20'), 201],
  ['a drying height above 20 m', measured('"latitude":1,"longitude":2,"depth":-20.01'), 400],
  ['a depth as a text', measured('"latitude":1,"longitude":2,"depth":"3"'), 400],
  ['an infinite depth', measured('"latitude":1,"longitude":2,"depth":1e400'), 400],
  [
    'minus zero everywhere',
    '{"soundings":[{"latitude":-0,"longitude":-0,"depth":-0,"time":-0}]}',
    201,
  ],
  ...TIMES.map(([time, ...statuses]): Kept => [`the time ${json(time)}`, timed(time), ...statuses]),
  ['feet', sounding(',"depthUnits":"feet"'), 400],
  ['meters in capitals', sounding(',"depthUnits":"Meters"'), 400],
  ['null as unit', sounding(',"depthUnits":null'), 201],
  ['a text as platform', sounding(',"platform":"x"'), 400],
  ['a number as platform’s id', sounding(',"platform":{"uniqueId":5}'), 400],
  ['NUL as platform’s id', sounding(',"platform":{"uniqueId":"\\u0000"}'), 400],
  ['half a surrogate pair as platform’s id', sounding(',"platform":{"uniqueId":"\\ud800"}'), 400],
  ['NUL in a name of the platform', sounding(',"platform":{"x\\u0000":1}'), 400],
  ['twenty brackets in the platform', sounding(`,"platform":{"a":${deep(20)}}`), 400],
  [
    'text that ends an XML section in the provider',
    sounding(',"providerContactPoint":{"logger":"]]>"}'),
    201,
  ],
  ['one too many', `{"soundings":[${'{},'.repeat(50_000)}{}]}`, 413],
];

const near = (place: string, more = ''): string => `{"position":${place},"radius":500${more}}`;
const around = (radius: string): string =>
  `{"position":{"longitude":0,"latitude":0},"radius":${radius}}`;
const ZERO = '{"longitude":0,"latitude":0}';

export const QUESTIONS: readonly Kept[] = [
  ...NO_OBJECT,
  ['a sound one', near('{"longitude":-20,"latitude":-30}', ',"zoom":14'), 200],
  ['the north pole', near('{"longitude":0,"latitude":90}', ',"zoom":14'), 200],
  ['the south pole at the date line', near('{"longitude":-180,"latitude":-90}', ',"zoom":0'), 200],
  ['the date line', near('{"longitude":180,"latitude":0}', ',"zoom":14'), 200],
  ['a list as place', near('[0,0]'), 400],
  ['a negative radius', around('-1'), 400],
  ['a radius of minus zero', around('-0'), 200],
  ['the smallest positive radius', around('5e-324'), 200],
  ['a huge radius', around('1e308'), 200],
  ['an infinite radius', around('1e400'), 400],
  ['a radius as a text', around('"5"'), 400],
  ['a radius of null', around('null'), 400],
  ['a huge zoom', near(ZERO, ',"zoom":1e308'), 200],
  ['a huge negative zoom', near(ZERO, ',"zoom":-1e308'), 200],
  ['a zoom as a text', near(ZERO, ',"zoom":"5"'), 400],
  ['a zoom of null', near(ZERO, ',"zoom":null'), 200],
];

const route = (waypoints: string, more = ''): string => `{"waypoints":${waypoints}${more}}`;

export const ROUTES: readonly Kept[] = [
  ...NO_OBJECT,
  ['one place', route('[[0,0]]'), 400],
  ['26 places', route(`[${Array(26).fill('[0,0]').join()}]`), 400],
  ['one place twice', route('[[0,0],[0,0]]'), 200],
  ['minus nothing', route('[[-0,-0],[-0,-0]]'), 200],
  ['the smallest positive coordinates', route('[[5e-324,0],[0,5e-324]]'), 200],
  ['both poles', route('[[90,0],[-90,0]]'), 200],
  ['both ends of the earth', route('[[0,180],[0,-180]]'), 200],
  ['across the date line', route('[[0,179.999],[0,-179.999]]'), 200],
  ['no number', route('[[1e400,0],[0,0]]'), 400],
  ['texts', route('[["0","0"],[0,0]]'), 400],
  ['objects', route('[{"latitude":0,"longitude":0},[0,0]]'), 400],
  ['a negative draft', route('[[0,0],[0,1]]', ',"vessel":{"draft":-1}'), 400],
  ['a huge draft', route('[[0,0],[0,1]]', ',"vessel":{"draft":1e308}'), 400],
  ['a list as vessel', route('[[0,0],[0,1]]', ',"vessel":[]'), 400],
];

export const STYLES: readonly Kept[] = [
  ...NO_OBJECT,
  ['a sound one', '{"name":"kept"}', 201],
  ['the same name again', '{"name":"kept"}', 409],
  ['an empty name', '{"name":""}', 400],
  ['a number as name', '{"name":5}', 400],
  ['NUL in its name', '{"name":"a\\u0000"}', 400],
  ['half a surrogate pair as name', '{"name":"\\ud800"}', 400],
  ['an unknown theme', '{"name":"a","baseTheme":"x"}', 400],
  ['a setting in the wrong case', '{"name":"b","parameters":{"settings":{"depthlimit":5}}}', 400],
  ['200 objects', `{"name":"c","parameters":${'{"a":'.repeat(200)}1${'}'.repeat(200)}}`, 400],
  ['more than 32 KiB', `{"name":"d","x":"${'y'.repeat(33_000)}"}`, 413],
];

export const USER_TOKENS: readonly Kept[] = [
  ...NO_OBJECT,
  ['a device', '{}', 201],
  ['characters outside the Basic Multilingual Plane', json({ externalUserId: '🚢"\\\u2028' }), 201],
  ['half a surrogate pair', '{"externalUserId":"\\ud83d"}', 400],
  ['a name that is too long', json({ externalUserId: 'x'.repeat(121) }), 400],
  ['a year', json({ externalUserId: 'a', expiresInSeconds: 31_536_000 }), 400],
  ['half a second', json({ expiresInSeconds: 60.5 }), 400],
];
