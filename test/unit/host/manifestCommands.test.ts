import { expect, it } from 'vitest';
import { commandTitles, manifestCommands, manifestTools } from '../../../src/host/manifestCommands.ts';

it('each of our commands has its own title, whatever else the manifest contains', () => {
  const commands = [
    { command: 'other.run', title: 'Run' },
    { command: 'lineside.connect', title: 'Connect' },
    { command: 'lineside.refresh' },
    'lineside.text',
    { title: 'Nothing' },
    { command: 'lineside.exportSession', title: 'Export' },
  ];
  const manifest = { contributes: { commands, languageModelTools: [{ name: 'tool' }, {}] } };
  expect([...commandTitles(manifest)]).toEqual([
    ['connect', 'Connect'],
    ['refresh', undefined],
    ['exportSession', 'Export'],
  ]);
  expect(manifestCommands(manifest)).toEqual(['connect', 'refresh', 'exportSession']);
  expect(manifestTools(manifest)).toEqual(['tool']);
  expect([...commandTitles(undefined)]).toEqual([]);
});
