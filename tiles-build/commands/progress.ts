// Progress of the stages of a build: a bar where there is a terminal, else a line now and then.

import { Presets, SingleBar } from 'cli-progress';
import type { BuildProgress } from '../pipeline/build-context.ts';
import type { CommandOutput } from './exit.ts';

/** Percents between two lines where nothing can be drawn over. */
const LINE_EVERY_PERCENT = 25;

/** Shows stages one after the other; `end` once at the end, also after a failure. */
export function showProgress(output: CommandOutput): BuildProgress & { end(): void } {
  return output.isTerminal ? progressBar() : progressLines(output);
}

function progressBar(): BuildProgress & { end(): void } {
  let bar: SingleBar | undefined;
  const end = () => {
    bar?.stop();
    bar = undefined;
  };
  return {
    start(stage, total) {
      end();
      const format = `${stage.padEnd(16)} {bar} {value}/{total}  {detail}`;
      bar = new SingleBar({ format, hideCursor: true, stopOnComplete: false }, Presets.rect);
      bar.start(total, 0, { detail: '' });
    },
    step(detail) {
      bar?.increment(1, { detail });
    },
    end,
  };
}

function progressLines(output: CommandOutput): BuildProgress & { end(): void } {
  let stage = '';
  let total = 0;
  let done = 0;
  let nextPercent = 0;
  return {
    start(name, count) {
      stage = name;
      total = count;
      done = 0;
      nextPercent = LINE_EVERY_PERCENT;
      output.note(`${stage}: ${total}`);
    },
    step() {
      done++;
      const percent = (100 * done) / total;
      if (percent < nextPercent && done < total) return;
      output.note(`${stage}: ${done} of ${total}`);
      nextPercent = percent + LINE_EVERY_PERCENT;
    },
    end: () => undefined,
  };
}
