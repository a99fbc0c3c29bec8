// Protocol Buffers integers, checked. `pbf` writes a fraction or NaN as another integer and reports nothing,
// and where each number is the step from the one before, all that follow are then wrong.

import { PbfWriter } from 'pbf';

/** Writes Protocol Buffers. Its methods for integers throw a RangeError on any other number. */
export class IntegerWriter extends PbfWriter {
  /** @throws RangeError unless `value` is an integer from 0 to 2^53 − 1 */
  override writeVarint(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) throw notEncodable(value);
    super.writeVarint(value);
  }

  /** @throws RangeError unless `value` is an integer from −2^52 to 2^52 − 1 */
  override writeSVarint(value: number): void {
    if (!Number.isSafeInteger(value)) throw notEncodable(value);
    super.writeSVarint(value);
  }
}

const notEncodable = (value: number): RangeError =>
  new RangeError(`Cannot encode ${value} as an integer.`);
