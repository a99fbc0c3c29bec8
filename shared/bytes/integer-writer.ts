// Protocol Buffers with checked integers. `pbf` silently writes a fraction or NaN as a different
// integer. With delta encoding, all following numbers would be wrong too.

import { PbfWriter } from 'pbf';

/** A `PbfWriter` whose integer methods throw a RangeError for other numbers. */
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
