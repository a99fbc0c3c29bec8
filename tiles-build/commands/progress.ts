// Progress of the stages of a build: a bar where there is a terminal, else a line now and then. Both
// tell the stage, what of it is done, how fast it goes and how long it will still take.

import { Presets, SingleBar } from 'cli-progress';
import type { BuildProgress } from '../pipeline/build-context.ts';
import type { CommandOutput } from './exit.ts';
import { Pace } from './pace.ts';

/** Percents between two lines where nothing can be drawn over, and time between them at most. */
const LINE_EVERY_PERCENT = 25;
const LINE_EVERY_MS = 60_000;

type Clock = () => number;

/** Shows stages one after the other; `end` once at the end, also after a failure. */
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
      bar = new SingleBar({ format, hideCursor: true, stopOnComplete: false }, Presets.rect);
      bar.start(total, 0, { detail: '', pace: '' });
    },
    step(detail) {
      pace.step(now());
      bar?.increment(1, { detail, pace: pace.words() });
    },
    end,
  };
}

function progressLines(output: CommandOutput, now: Clock): BuildProgress & { end(): void } {
  let stage = '';
  let pace = new Pace(0, now());
  let nextPercent = 0;
  let lastLineMs = 0;
  const line = (text: string) => {
    lastLineMs = now();
    output.note(text);
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
      const words = done < total ? pace.words() : '';
      line(`${stage}: ${done} of ${total}${words === '' ? '' : `, ${words}`}`);
      nextPercent = percent + LINE_EVERY_PERCENT;
    },
    end: () => undefined,
  };
}
