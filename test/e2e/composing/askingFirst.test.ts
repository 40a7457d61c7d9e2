import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

/** Actions that messages and symbolic links must not trigger without asking, in a real VS Code (R5, R36). */
describe('asking first', () => {
  const service = useService();
  const journey = useJourney();
  const conversation = () => conversationOf(journey.workbench);
  const attach = (path: string) =>
    journey.workbench.execute('lineside.attachFile', { uri: pathToFileURL(join(journey.folder, path)).href });

  it('happens before a file outside the workspace or behind a symbolic link is attached', async () => {
    const { workbench, folder } = journey;
    const { dialog } = workbench;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversation().article('The states of a session').waitFor();
    await writeFile(join(folder, '..', 'outside.txt'), 'outside');
    await symlink(join(folder, '..', 'outside.txt'), join(folder, 'inside.txt'));
    const risks = {
      '../outside.txt': 'This file is outside your workspace.',
      'inside.txt': 'This file is a symbolic link or is inside a linked folder.',
    };
    for (const [path, reason] of Object.entries(risks)) {
      void attach(path);
      await dialog.getByText(reason).waitFor();
      await click(dialog.getByRole('button', { name: 'Cancel' }));
      await dialog.waitFor({ state: 'hidden' });
    }
    expect(await conversation().chips.count()).toBe(0);
    expect(service.posts()).toEqual([]);
  });

  it('is not needed for an SVG, because it is sent as a file', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    await writeFile(join(journey.folder, 'logo.svg'), svg);
    await attach('logo.svg');
    await expect.poll(() => conversation().chips.count(), patiently).toBe(1);
    expect(await conversation().chips.locator('img').count()).toBe(0);
    await conversation().say('Look at the logo');
    await expect.poll(() => service.posts().at(-1)?.text, patiently).toBe('Look at the logo');
    expect(service.posts().at(-1)).toMatchObject({
      images: [],
      files: [{ name: 'logo.svg', mediaType: 'text/plain' }],
    });
  });

  it('does not make links of commands, local files, or paths outside the workspace', async () => {
    const { tests } = service.sessionIdByName;
    const links = '[one](command:workbench.action.quit) [two](file:///etc/passwd) [three](vscode://a.b/c)';
    const picture = `![four](data:image/svg+xml;base64,${Buffer.from('<svg/>').toString('base64')})`;
    await service.post(tests, `Hostile: ${links} ${picture} ../outside.txt [six](https://example.com/)`);
    await addSessions(journey.workbench, tests);
    const row = conversation().article('Hostile:');
    await expect.poll(() => row.getByRole('link').allTextContents(), patiently).toEqual(['six']);
    expect(await row.locator('img').count()).toBe(0);
  });
});
