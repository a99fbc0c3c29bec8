import { Command } from 'commander';
import { expect, test } from 'vitest';
import { addPublishCommands } from '../../../tiles-build/commands/publish.ts';

test('only the help of a command that uploads describes interrupted uploads', () => {
  let help = '';
  const program = new Command();
  addPublishCommands(program, { out: () => {}, note: () => {}, isTerminal: false });
  const told = program.commands.map((command) => {
    help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    return [command.name(), help.includes('upload is interrupted')];
  });
  expect(Object.fromEntries(told)).toEqual({ publish: true, rollback: false, prune: false });
});
