// Trips with default values, so that a test changes only the value it is about. Also the loop that runs
// the planner.

import { planRoute } from '../../../shared/route/plan/plan-route.ts';
import type { Sea } from '../../../shared/route/sea.ts';
import type { NoPlan, Plan, Position, Trip } from '../../../shared/route/trip.ts';

export interface TripChanges {
  readonly vessel?: Partial<Trip['vessel']>;
  readonly safety?: Partial<Trip['safety']>;
  readonly options?: Partial<Trip['options']>;
}

export function tripOf(waypoints: readonly Position[], changes: TripChanges = {}): Trip {
  return {
    waypoints,
    vessel: {
      draft: 2,
      airDraft: undefined,
      // Half the beam would be a lateral clearance.
      beam: 0,
      length: 10,
      speed: undefined,
      turningRadius: 0,
      maxTurnAngle: 180,
      ...changes.vessel,
    },
    safety: {
      underKeelClearance: 0.5,
      overheadClearance: 0.5,
      lateralClearance: 0,
      shoreDistance: 0,
      waterLevel: 0,
      allowUnknownDepth: false,
      ...changes.safety,
    },
    options: {
      avoidAreas: [],
      avoid: new Set(),
      canals: new Set(),
      preferFairways: false,
      followTss: false,
      optimize: 'distance',
      maxSnapDistance: 0,
      latitudeLimits: [-66, 72],
      ...changes.options,
    },
  };
}

/** Runs the planner on a sea with all squares loaded. */
export function planWarm(trip: Trip, sea: Sea, mostExpanded?: number): Plan | NoPlan {
  const search = planRoute(trip, sea, mostExpanded);
  for (;;) {
    const step = search.next();
    if (step.done === true) return step.value;
    // A pause requests no squares.
    if (step.value.length > 0) throw new Error(`asked for ${JSON.stringify(step.value)}`);
  }
}

/** Runs the planner on a sea that loads each square when it is requested. */
export function planCold(trip: Trip, sea: Sea): Plan | NoPlan {
  const there = new Map<string, ReturnType<Sea['square']>>();
  const search = planRoute(trip, { square: (z, x, y) => there.get(`${z}/${x}/${y}`) });
  for (let step = search.next(); ; step = search.next()) {
    if (step.done === true) return step.value;
    for (const { z, x, y } of step.value) {
      const square = sea.square(z, x, y);
      if (square === undefined) throw new Error(`asked for ${z}/${x}/${y}, which is not stored`);
      there.set(`${z}/${x}/${y}`, square);
    }
  }
}
