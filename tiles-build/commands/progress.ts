// Progress of the stages of a build: a bar on a terminal, otherwise occasional lines. Both show the
// stage, the completed steps, the speed and the remaining time.

import { Presets, SingleBar } from 'cli-progress';
import type { BuildProgress } from '../pipeline/build-context.ts';
import type { CommandOutput } from './exit.ts';
import { Pace } from './pace.ts';

/** Interval between two lines: a share of the steps, or a time, whichever is shorter. */
const LINE_EVERY_PERCENT = 25;
const LINE_EVERY_MS = 60_000;

type Clock = () => number;

/** Shows consecutive stages. Call `end` once, even after a failure. */
export function showProgress(
  output: CommandOutput,
  now: Clock = Date.now,
): BuildProgress & { end(): void } {
  return output.isTerminal ? progressBar(now) : progressLines(output, now);
}

function progressBar(now: Clock): BuildProgress & { end(): void } {
  let bar: SingleBar | undefined;
  let pace = new Pace(0, now());
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    start(stage, total) {
      end();
      pace = new Pace(total, now());
      const format = `${stage.padEnd(16)} {bar} {value}/{total}  {pace}  {detail}`;
      // The state of the terminal stays as it is: a signal that ends the process would not restore it.
      const terminal = { hideCursor: false, linewrap: true };
      bar = new SingleBar({ format, ...terminal, stopOnComplete: false }, Presets.rect);
      bar.start(total, 0, { detail: '', pace: '' });
    },
    step(detail) {
      pace.step(now());
      bar?.increment(1, { detail, pace: pace.text() });
    },
    end,
  };
}

function progressLines(output: CommandOutput, now: Clock): BuildProgress & { end(): void } {
  let stage = '';
  let pace = new Pace(0, now());
  let nextPercent = 0;
  let lastLineMs = 0;
  const line = (content: string) => {
    lastLineMs = now();
    output.note(content);
  };
  return {
    start(name, count) {
      stage = name;
      pace = new Pace(count, now());
      nextPercent = LINE_EVERY_PERCENT;
      line(`${stage}: ${count}`);
    },
    step() {
      pace.step(now());
      const { done, total } = pace;
      const percent = (100 * done) / total;
      const isDue = percent >= nextPercent || now() - lastLineMs >= LINE_EVERY_MS;
      if (done < total && !isDue) return;
      const text = done < total ? pace.text() : '';
      line(`${stage}: ${done} of ${total}${text === '' ? '' : `, ${text}`}`);
      nextPercent = percent + LINE_EVERY_PERCENT;
    },
    end: () => undefined,
  };
}
