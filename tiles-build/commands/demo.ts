// `demo`: writes the fictional demo cells. The work is in ../demo.

import type { Command } from 'commander';
import type { CommandOutput } from './exit.ts';

export function addDemoCommand(program: Command, output: CommandOutput): void {
  program
    .command('demo')
    .description('write the demo cells: a fictional coast, in usage bands 1 to 5')
    .requiredOption('--out <folder>', 'folder for ENC_ROOT with the cells')
    .action(async (options: { readonly out: string }) => {
      const { writeDemoCharts } = await import('../demo/write-demo-charts.ts');
      await writeDemoCharts(options.out);
      output.out(
        `The demo cells are in ${options.out}. They are fictional, and not for navigation.`,
      );
    });
}
