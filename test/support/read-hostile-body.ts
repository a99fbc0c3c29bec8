// Reads a body that is sent in pieces, as an endpoint does, or in one piece for comparison.

import { BathymetryReader } from '../../shared/contract/bathymetry.ts';
import { parseJson, readJsonObject, textOf } from '../../workers/service/http/read-json.ts';
import { readPieces } from '../../workers/service/http/read-pieces.ts';

export interface HostileBody {
  readonly reader: 'soundings' | 'object' | 'at once';
  readonly before: string;
  /** Repeated until the body has its size. */
  readonly middle: string;
  readonly after: string;
  readonly bytes: number;
}

const LIMITS = {
  maxSoundings: 50_000,
  minDepthMeters: -20,
  maxDepthMeters: 12_000,
  earliestTime: 0,
  latestTime: 8e15,
};
const PIECE_BYTES = 16_384;

/** The result: the kind of the value that was read, or the code of the error. */
export async function readHostileBody(hostile: HostileBody): Promise<string> {
  const { reader, bytes } = hostile;
  const request = new Request('http://leadline.test', {
    method: 'POST',
    body: streamOf(hostile),
    duplex: 'half',
  } as RequestInit);
  try {
    if (reader === 'at once') {
      parseJson(new Uint8Array(await request.arrayBuffer()));
      return 'parsed';
    }
    if (reader === 'object') {
      const settings = { strictContentType: false };
      const c = { req: { raw: request, header: () => undefined }, get: () => settings };
      await readJsonObject(c as never, bytes + PIECE_BYTES);
      return 'parsed';
    }
    const soundings = new BathymetryReader(LIMITS, parseJson, textOf);
    let refusal: string | undefined;
    await readPieces(request, bytes + PIECE_BYTES, (piece) => {
      refusal ??= soundings.push(piece)?.kind;
    });
    return refusal ?? soundings.end().kind;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

function streamOf({ before, middle, after, bytes }: HostileBody): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const piece = encoder.encode(middle.repeat(Math.ceil(PIECE_BYTES / middle.length)));
  let left = bytes;
  let next = encoder.encode(before);
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(next);
      if (left > 0) next = piece.slice();
      else {
        controller.enqueue(encoder.encode(after));
        controller.close();
      }
      left -= piece.length;
    },
  });
}
