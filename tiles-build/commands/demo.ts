// `demo`: writes the fictional demo cells. The work is in ../demo.

import type { Command } from 'commander';
import type { CommandOutput } from './exit.ts';

export function addDemoCommand(program: Command, output: CommandOutput): void {
  program
    .command('demo')
    .description('write the demo cells: a coast that does not exist, in bands 1 to 5')
    .requiredOption('--out <folder>', 'gets an ENC_ROOT with the cells')
    .action(async (words: { readonly out: string }) => {
      const { writeDemoCharts } = await import('../demo/write-demo-charts.ts');
      await writeDemoCharts(words.out);
      output.out(`The demo cells are in ${words.out}. They are fictional, and not for navigation.`);
    });
}
