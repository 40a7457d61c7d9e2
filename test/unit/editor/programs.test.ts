import { expect, it } from 'vitest';
import { startProgram } from '../../../tools/editor/run/programs.ts';

it('a wait for output ends when the program does', async () => {
  const program = startProgram(process.execPath, ['-e', 'console.log("one")']);
  await expect(program.waitForOutput(/two/, 60_000)).rejects.toThrow('ended with code 0 before saying /two/:\none');
  await program.dispose();
});

it('a wait for output ends if the program cannot be started', async () => {
  const program = startProgram(process.execPath, [], { folder: '/missing/folder' });
  await expect(program.waitForOutput(/one/, 60_000)).rejects.toThrow(/could not be started \(.*ENOENT/);
  await program.dispose();
});
