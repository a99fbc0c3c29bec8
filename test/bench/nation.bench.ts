// The charts of a nation: 7,000 cells of real density in four usage bands, 2 GB of S-57, built and published to a
// folder. Then one cell changes, then as many as in a week: 140 of 7,000, but at least 8. Each build is a process
// with two workers; its times include its start and publishing. LEADLINE_NATION sets the number of cells (default
// 60), `--long` is 7,000. With LEADLINE_NATION_FOLDER the folder is kept, and a nation can grow there: the
// processor time of earlier runs is added. For other numbers of cells, the processor time is multiplied. The first
// line states the load of other work on the machine, which lengthens the wall times.

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeCells } from '../support/change-cells.ts';
import { hasEncData } from '../support/enc-data.ts';
import { type MeasuredBuild, measureBuild } from '../support/measured-build.ts';
import { writeNation } from '../support/nation-cells.ts';
import { type Goal, goalLines } from './goals.ts';

const NATION = 7000;
const SMALL = 60;
/** Cells that change in a week. */
const WEEK = 140;
/** With fewer, the second worker's start would be counted as work of the cells. */
const LEAST_CHANGING = 8;
const WORKERS = 2;

/** Runs the bench and prints it. */
export async function run({ long = false } = {}): Promise<void> {
  if (!hasEncData) {
    console.log('skipped: no cells (set LEADLINE_ENC_DIR)');
    return;
  }
  const count = Number(process.env['LEADLINE_NATION'] ?? (long ? NATION : SMALL));
  const kept = process.env['LEADLINE_NATION_FOLDER'];
  const folder = kept ?? mkdtempSync(join(tmpdir(), 'leadline-bench-nation-'));
  try {
    measureNation(folder, count);
  } finally {
    if (kept === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function measureNation(folder: string, count: number): void {
  const [cells, charts, bucket] = [
    join(folder, 'cells'),
    join(folder, 'charts'),
    join(folder, 'bucket'),
  ];
  const names = writeNation(cells, count);
  const publish = (label: string) => {
    const measured = measureBuild(cells, charts, WORKERS, undefined, bucket);
    if (measured.cells !== count) throw new Error(`${count - measured.cells} cells were not used.`);
    print(label, measured);
    return measured;
  };
  console.log(`processes waiting for a core before the run: ${loadavg()[0]!.toFixed(1)}`);
  const whole = publish(`${count} cells`);
  const spent = join(folder, 'cpu-seconds');
  const before = existsSync(spent) ? Number(readFileSync(spent, 'utf8')) : 0;
  const cpuSeconds = before + whole.cpuSeconds;
  writeFileSync(spent, `${cpuSeconds}`);

  const changing = Math.max(LEAST_CHANGING, Math.round((WEEK * count) / NATION));
  const step = Math.floor(count / (changing + 1));
  // One cell with its neighbours in the middle of the nation, and others all over it.
  changeCells(cells, [names[Math.floor(count / 2)]!]);
  const one = publish('one cell changed');
  changeCells(
    cells,
    Array.from({ length: changing }, (_, i) => names[(i + 1) * step - 1]!),
  );
  const week = publish(`${changing} ${changing === 1 ? 'cell' : 'cells'} changed`);
  for (const line of goalLines(goalsOf({ count, cpuSeconds, whole, one, week, changing }))) {
    console.log(line);
  }
}

const WEEKLY = { name: `a week of ${WEEK} changed cells`, most: 240 };

interface Figures {
  readonly count: number;
  readonly cpuSeconds: number;
  readonly whole: MeasuredBuild;
  readonly one: MeasuredBuild;
  readonly week: MeasuredBuild;
  readonly changing: number;
}

function goalsOf({ count, cpuSeconds, whole, one, week, changing }: Figures): Goal[] {
  const times =
    count === NATION ? '' : `, ${(NATION / count).toFixed(1)} times those of ${count} cells`;
  const memory = Math.max(whole.megabytes, one.megabytes, week.megabytes);
  const perCell = one.uploadedBytes / (week.uploadedBytes / changing);
  const cpuOfOneMore = (week.cpuSeconds - one.cpuSeconds) / Math.max(1, changing - 1);
  return [
    {
      name: `a nation of ${NATION} cells`,
      reached: (cpuSeconds * NATION) / count / 3600,
      most: 3,
      unit: `core hours${times}`,
      cause: stagesOf(whole),
    },
    {
      name: 'memory of the process with all its workers',
      reached: memory,
      most: 1024,
      unit: 'MB',
      cause: `the main thread has at most ${whole.mainMegabytes.toFixed(0)} MB`,
    },
    {
      name: 'one changed cell, live',
      reached: one.wallSeconds,
      most: 20,
      unit: `s (${one.cpuSeconds.toFixed(1)} s cpu)`,
      cause: stagesOf(one),
    },
    count === NATION
      ? { ...WEEKLY, reached: week.wallSeconds, unit: 's', cause: stagesOf(week) }
      : {
          ...WEEKLY,
          reached: (one.cpuSeconds + (WEEK - 1) * cpuOfOneMore) / WORKERS,
          unit: `s of two cores, by the processor time of ${changing} cells`,
          cause: `one more cell takes ${cpuOfOneMore.toFixed(1)} s`,
        },
    {
      name: 'bytes uploaded for each cell of a week against one cell',
      reached: 1 / perCell,
      most: 2,
      unit: 'times',
      cause: 'the changed cells lie in other regions, whose parts have other sizes',
    },
  ];
}

const stagesOf = ({ stages }: MeasuredBuild): string =>
  stages.map(([name, seconds]) => `${name.toLowerCase()} ${seconds.toFixed(1)}`).join(', ');

function print(label: string, measured: MeasuredBuild): void {
  const mega = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  const { cpuSeconds, wallSeconds, megabytes, archiveBytes, manifestBytes } = measured;
  console.log(
    `${label.padEnd(20)} ${wallSeconds.toFixed(1).padStart(7)} s wall ${cpuSeconds.toFixed(1).padStart(7)} s cpu ` +
      `${megabytes.toFixed(0).padStart(5)} MB memory; uploaded ${measured.uploadedParts} parts of ` +
      `${mega(measured.uploadedBytes)} and a manifest of ${mega(manifestBytes)}; all archives ${mega(archiveBytes)}`,
  );
  console.log(`  s wall: ${stagesOf(measured)} (build ${measured.buildId})`);
}
