// Checks files with routes and tracks against the schema of GPX 1.1: elements, their order and their
// attributes. Written from its documentation (topografix.com/GPX/1/1).

import { XMLParser, XMLValidator } from 'fast-xml-parser';

const NAMESPACE = 'http://www.topografix.com/GPX/1/1';

const POINT =
  'ele time magvar geoidheight name cmt desc src link* sym type fix sat hdop vdop pdop ageofdgpsdata dgpsid extensions'.split(
    ' ',
  );
/** Children of each type in the order of its sequence. `*`: the child may be repeated. */
const CHILDREN: Readonly<Record<string, readonly string[]>> = {
  gpx: ['metadata', 'wpt*', 'rte*', 'trk*', 'extensions'],
  metadata: 'name desc author copyright link* time keywords bounds extensions'.split(' '),
  rte: 'name cmt desc src link* number type extensions rtept*'.split(' '),
  rtept: POINT,
  trk: 'name cmt desc src link* number type extensions trkseg*'.split(' '),
  trkseg: ['trkpt*', 'extensions'],
  trkpt: POINT,
};

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;

type Node = Readonly<Record<string, unknown>>;

/** The differences between a text and the schema; empty for a valid file. */
export function gpxFaults(text: string): string[] {
  const sound = XMLValidator.validate(text);
  if (sound !== true) return [`no XML: ${sound.err.msg}`];
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    trimValues: true,
  });
  const nodes = (parser.parse(text) as Node[]).filter((node) => !('?xml' in node));
  const [root] = nodes;
  if (nodes.length !== 1 || root === undefined || nameOf(root) !== 'gpx') return ['no gpx at root'];
  const { version, creator, xmlns } = attributesOf(root);
  const faults = faultsBelow(root, 'gpx');
  if (version !== '1.1') faults.push('version is not 1.1');
  if (creator === undefined || creator === '') faults.push('no creator');
  if (xmlns !== NAMESPACE) faults.push('another namespace');
  return faults;
}

function faultsBelow(node: Node, path: string): string[] {
  const name = nameOf(node);
  // Elements of other namespaces are not checked.
  if (name === 'extensions') return [];
  const sequence = CHILDREN[name];
  const children = (node[name] as Node[]).filter((child) => !('#text' in child));
  if (sequence === undefined) return children.length > 0 ? [`${path} has elements`] : [];
  const faults: string[] = /^(rte|trk)pt$/.test(name) ? placeFaults(attributesOf(node), path) : [];
  let at = 0;
  const seen = new Set<string>();
  for (const child of children) {
    const childName = nameOf(child);
    const found = sequence.findIndex((one) => one.replace('*', '') === childName);
    if (found < 0) faults.push(`${path} may not hold ${childName}`);
    else if (found < at) faults.push(`${childName} comes too late in ${path}`);
    else if (seen.has(childName) && !sequence[found]!.endsWith('*')) {
      faults.push(`${path} holds ${childName} twice`);
    }
    at = Math.max(at, found);
    seen.add(childName);
    faults.push(...faultsBelow(child, `${path}/${childName}`));
  }
  return faults;
}

function placeFaults({ lat = '', lon = '' }: Record<string, string>, path: string): string[] {
  const isLatitude = DECIMAL.test(lat) && Number(lat) >= -90 && Number(lat) <= 90;
  const isLongitude = DECIMAL.test(lon) && Number(lon) >= -180 && Number(lon) < 180;
  return isLatitude && isLongitude ? [] : [`${path} lies nowhere: ${lat}, ${lon}`];
}

const nameOf = (node: Node): string => Object.keys(node).find((key) => key !== ':@') ?? '';

const attributesOf = (node: Node): Record<string, string> =>
  (node[':@'] ?? {}) as Record<string, string>;
