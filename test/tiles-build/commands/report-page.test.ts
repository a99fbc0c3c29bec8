// The report of a build and the list of missing parts of its chart.

import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import type { ManifestCell } from '../../../shared/chart/manifest.ts';
import { gapsOf } from '../../../tiles-build/commands/chart-gaps.ts';
import { reportPage } from '../../../tiles-build/commands/report-page.ts';

function cell(name: string, changes: Partial<ManifestCell> = {}): ManifestCell {
  return {
    name,
    edition: 2,
    update: 1,
    issueDate: '20260101',
    usageBand: 5,
    scaleDenominator: 10_000,
    agency: 1,
    bounds: [10, 54, 10.5, 54.5],
    features: 3,
    status: 'used',
    recordCountsMatch: true,
    skinDeviation: 0,
    problems: [],
    ...changes,
  };
}

const error = (code: string, file: string) =>
  ({ code, message: `message of ${code}`, file, severity: 'error' }) as const;

const REFUSED = cell('ZZ5AAAAA', {
  status: 'refused',
  bounds: [0, 0, 0, 0],
  problems: [error('checksum-differs', 'ZZ5AAAAA.000')],
});
const OUTDATED = cell('ZZ5BBBBB', {
  status: 'used-partly',
  problems: [error('checksum-differs', 'ZZ5BBBBB.002')],
});
const INCOMPLETE = cell('ZZ5CCCCC', {
  status: 'used-partly',
  problems: [error('open-ring', 'ZZ5CCCCC.000')],
});
const CANCELLED = cell('ZZ5DDDDD', { status: 'cancelled', bounds: [0, 0, 0, 0] });
const CELLS = [REFUSED, OUTDATED, INCOMPLETE, CANCELLED, cell('ZZ5EEEEE')];

describe('gapsOf', () => {
  it('lists refused and partly used cells with their consequences', () => {
    const gaps = gapsOf(CELLS, []);
    expect(gaps.map((gap) => gap.cell)).toEqual(['ZZ5AAAAA', 'ZZ5BBBBB', 'ZZ5CCCCC']);
    expect(gaps[0]!.consequence).toContain('not shown');
    expect(gaps[1]!.consequence).toBe(
      'This chart is outdated: it is shown at edition 2, update 1, without later corrections.',
    );
    expect(gaps[2]!.consequence).toContain('objects of this chart are missing');
  });

  it('lists cells with fewer records than stated, but no withdrawn ones', () => {
    const problem = { code: 'fewer-records', message: 'features: 9, not 8', severity: 'warning' };
    const problems = [problem as ManifestCell['problems'][number]];
    expect(gapsOf([cell('ZZ5AAAAA', { problems }), { ...CANCELLED, problems }], [])).toEqual([
      {
        cell: 'ZZ5AAAAA',
        problem: 'features: 9, not 8',
        consequence: expect.stringContaining('may be missing'),
      },
    ]);
  });

  it('lists incomplete deliveries, but no warnings', () => {
    const problem = (code: string, severity: 'error' | 'warning') => ({
      code,
      message: code,
      severity,
    });
    const problems = [
      problem('unreadable-zip', 'error'),
      problem('listed-file-missing', 'warning'),
      problem('repeated-file', 'warning'),
    ];
    expect(gapsOf([], problems).map((gap) => gap.problem)).toEqual([
      'unreadable-zip',
      'listed-file-missing',
    ]);
  });
});

describe('reportPage', () => {
  const page = (cells: readonly ManifestCell[], places = {}) =>
    reportPage({ cells, problems: [], places });
  const text = page(CELLS);

  it('contains each gap, the notice, and no reference to another file', () => {
    for (const name of ['ZZ5AAAAA', 'ZZ5BBBBB', 'ZZ5CCCCC']) expect(text).toContain(name);
    expect(text).toContain('not for navigation');
    expect(text).not.toMatch(/<script|<link|<img|src=|https?:/);
  });

  it('places a refused cell on the map according to its exchange set', () => {
    const boxes = (svg: string) => svg.match(/<rect /g)?.length;
    expect(boxes(text)).toBe(3);
    const placed = page(CELLS, { ZZ5AAAAA: [10.5, 54, 11, 54.5] });
    expect(boxes(placed)).toBe(4);
    expect(placed).toContain('54.000° N to 54.500° N, 10.500° E to 11.000° E');
  });

  it('contains a well-formed SVG with the surrounding land', () => {
    const svg = /<svg[\s\S]*<\/svg>/.exec(text)![0];
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(/<path d="(M[^"]+)"/.exec(svg)![1]!.length).toBeGreaterThan(500);
  });

  it('draws a cell across 180° in one box', () => {
    const svg = page([cell('ZZ5FFFFF', { bounds: [179.5, 0, -179.5, 1] })]);
    expect(svg).toMatch(/width="(4|5|6|7)\d\d\.\d"/);
  });

  it('draws no land across the whole map because land crosses 180°', () => {
    const half = page([cell('ZZ5HHHHH', { bounds: [-120, -40, 70, 50] })]);
    const rings = /<path d="([^"]+)"/.exec(half)![1]!.split('Z');
    const lengths = rings.flatMap((ring) => {
      const xs = ring
        .replace('M', '')
        .split('L')
        .map((point) => Number(point.split(' ')[0]));
      return xs.slice(1).map((x, i) => Math.abs(x - xs[i]!));
    });
    expect(Math.max(...lengths)).toBeLessThan(900);
  });

  it('escapes texts of files', () => {
    const problem = { code: 'x', message: '<script>"&', severity: 'error' } as const;
    expect(page([{ ...REFUSED, problems: [problem] }])).toContain('&lt;script&gt;&quot;&amp;');
  });

  it('reports that no place is known if no cell has one', () => {
    expect(page([REFUSED])).toContain('The positions of the cells are unknown.');
  });
});
