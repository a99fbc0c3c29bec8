// A predicted height of tide with its station and its error.

/** The station of a prediction. */
export interface TideStation {
  /** Id in the tide database, for example `noaa/9447130`. */
  readonly id: string;
  readonly name: string;
  readonly longitude: number;
  readonly latitude: number;
  /** Chart datum of the heights: `LAT`, `MLLW` or another name of the database. */
  readonly datum: string;
  /** Text that must be displayed with the heights. */
  readonly attribution: string;
}

export type WaterLevel =
  | {
      readonly reduced: true;
      /** Metres above the chart datum of the station. */
      readonly height: number;
      readonly station: TideStation;
      /** Metres from the position to the station. */
      readonly distance: number;
      /** 95 % uncertainty, metres. */
      readonly error95: number;
    }
  | {
      /** No station is near enough. */
      readonly reduced: false;
      /** Half of the tidal range to expect, metres. */
      readonly error95: number;
    };

/**
 * Implemented by `predictWaterLevel` in this folder.
 * @param position longitude and latitude in degrees
 * @param time epoch milliseconds
 */
export type PredictWaterLevel = (
  position: readonly [longitude: number, latitude: number],
  time: number,
) => WaterLevel;
