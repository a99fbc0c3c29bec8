// Labels and vector tiles of reports.

import { VectorTile } from '@mapbox/vector-tile';
import { PbfReader } from 'pbf';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../../shared/reports/report.ts';
import { encodeReportTile, positionIn, reportLabel } from '../../../shared/reports/tile.ts';

const REPORT: Report = {
  id: '550e8400-e29b-41d4-a716-446655440000',
  owner: { account: 'a', subject: 's' },
  externalUserId: 'sailor 7',
  namespace: 'public',
  kind: 'hazard',
  latitude: 0,
  longitude: 0,
  properties: '{"description":"Log"}',
  upvotes: 3,
  downvotes: 1,
  createdAt: Date.UTC(2026, 7, 14, 15, 20, 59),
  updatedAt: 0,
  expiresAt: 0,
  expiredAt: null,
  deletedAt: null,
};

describe('reportLabel', () => {
  it('states kind, day and time in UTC', () => {
    expect(reportLabel(REPORT)).toBe('Hazard – 8/14 15:20');
    const early = { kind: 'wildlife' as const, createdAt: Date.UTC(2026, 0, 2, 3, 4) };
    expect(reportLabel(early)).toBe('Wildlife – 1/2 03:04');
  });
});

describe('encodeReportTile', () => {
  it('writes reports and clusters as points of one layer', () => {
    const clusters = [{ u: 0.25, v: 0.75, count: 7, hazards: 2 }];
    const bytes = encodeReportTile(
      { reports: [REPORT], clusters, isComplete: false },
      { z: 0, x: 0, y: 0 },
      () => true,
    );
    const layer = new VectorTile(new PbfReader(bytes)).layers['user_reports']!;
    expect(layer.length).toBe(2);
    expect(layer.feature(0).loadGeometry()).toEqual([[{ x: 2048, y: 2048 }]]);
    expect(layer.feature(0).properties).toEqual({
      id: REPORT.id,
      reportType: 'hazard',
      upvoteCount: 3,
      downvoteCount: 1,
      is_owner: true,
      label: 'Hazard – 8/14 15:20',
      properties: REPORT.properties,
    });
    expect(layer.feature(1).loadGeometry()).toEqual([[{ x: 1024, y: 3072 }]]);
    expect(layer.feature(1).properties).toEqual({ point_count: 7, hazards: 2, is_partial: true });
  });

  it('returns no bytes without reports', () => {
    const nothing = { reports: [], clusters: [], isComplete: true };
    expect(encodeReportTile(nothing, { z: 3, x: 0, y: 0 }, () => false)).toHaveLength(0);
  });
});

describe('positionIn', () => {
  it('converts fractions of a tile to degrees', () => {
    expect(positionIn({ z: 1, x: 1, y: 0 }, { u: 0.5, v: 1 })).toEqual({
      longitude: 90,
      latitude: 0,
    });
  });
});
