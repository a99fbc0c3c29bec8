// Lays out selected entries of an archive as a new archive: its head, and the contents to copy.
// Directories are not compressed, because compressors differ between machines and the bytes must be
// the same everywhere.

import { type Entry, tileIdToZxy } from 'pmtiles';
import { joinBytes } from '../bytes/join-bytes.ts';
import { utf8Bytes } from '../bytes/utf8.ts';
import { type GeoBounds, middleOf, plainBounds } from '../chart/bounds.ts';
import { emptyColumns, encodeDirectories, HEADER_BYTES } from '../pmtiles/directory.ts';
import { encodeHeader } from '../pmtiles/header.ts';

/** A stored tile that several tile ids may share. */
export interface Content {
  /** The first tile id with this content. */
  readonly tileId: number;
  /** Address in the source archive. */
  readonly from: number;
  readonly length: number;
  /** Offset in the new archive. */
  readonly at: number;
}

export interface LaidOutArchive {
  /** Header, root directory, metadata and leaf directories. */
  readonly head: Uint8Array;
  /** Contents in file order after the head, without gaps. */
  readonly contents: readonly Content[];
  /** Size of the archive. */
  readonly bytes: number;
  /** Addressed tiles, counting each tile of a run. */
  readonly tiles: number;
  readonly maxZoom: number;
}

interface ArchiveWanted {
  /** Ascending, with addresses as offsets; at least one. */
  readonly entries: readonly Entry[];
  readonly isVector: boolean;
  /** West > east across 180°. */
  readonly bounds: GeoBounds;
  readonly metadata: Readonly<Record<string, unknown>>;
}

export function layOutArchive(wanted: ArchiveWanted): LaidOutArchive {
  const { entries, isVector, bounds } = wanted;
  const columns = emptyColumns(entries.length);
  const places = new Map<number, number>();
  const contents: { tileId: number; from: number; length: number; at: number }[] = [];
  let [count, tiles, dataBytes] = [0, 0, 0];
  for (const { tileId, offset, length, runLength } of entries) {
    let place = places.get(offset);
    if (place === undefined) {
      place = dataBytes;
      places.set(offset, place);
      contents.push({ tileId, from: offset, length, at: place });
      dataBytes += length;
    }
    tiles += runLength;
    const last = count - 1;
    const continues =
      count > 0 &&
      columns.offsets[last] === place &&
      columns.tileIds[last]! + columns.runLengths[last]! === tileId;
    if (continues) {
      columns.runLengths[last]! += runLength;
      continue;
    }
    columns.tileIds[count] = tileId;
    columns.offsets[count] = place;
    columns.lengths[count] = length;
    columns.runLengths[count] = runLength;
    count++;
  }
  const { root, leaves } = encodeDirectories({ count, ...columns }, (directory) => directory);
  const metadata = utf8Bytes(JSON.stringify(wanted.metadata));
  const metadataAt = HEADER_BYTES + root.length;
  const leavesAt = metadataAt + metadata.length;
  const dataAt = leavesAt + leaves.length;
  const last = entries.at(-1)!;
  const [minZoom] = tileIdToZxy(entries[0]!.tileId);
  const [maxZoom] = tileIdToZxy(last.tileId + last.runLength - 1);
  const { longitude, latitude, width } = middleOf(bounds);
  const header = encodeHeader({
    isPacked: false,
    rootBytes: root.length,
    metadata: [metadataAt, metadata.length],
    leaves: [leavesAt, leaves.length],
    data: [dataAt, dataBytes],
    counts: [tiles, count, contents.length],
    isVector,
    zooms: [minZoom, maxZoom],
    bounds: plainBounds(bounds),
    center: { longitude, latitude, zoom: Math.min(maxZoom, zoomOfWidth(width)) },
  });
  for (const content of contents) content.at += dataAt;
  return {
    head: joinBytes([header, root, metadata, leaves]),
    contents,
    bytes: dataAt + dataBytes,
    tiles,
    maxZoom,
  };
}

/** Zoom at which one tile is about as wide as a box. @param width degrees */
const zoomOfWidth = (width: number): number =>
  Math.max(0, Math.floor(Math.log2(360 / Math.max(width, 1e-6))));
