import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSessions, connect, conversationOf, selectLines } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { MessageLinks } from '../journey/messageLinks.ts';
import { sha256, useService } from '../journey/recordedService.ts';

describe('the oldest supported version of VS Code', () => {
  const service = useService();
  const journey = useJourney({ version: '1.110', builtInExtensions: 'all', say: console.log });

  it('connects, sends a selection, and shows the answer', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    const conversation = conversationOf(workbench);
    await conversation.article('The states of a session').waitFor();
    await selectLines(workbench, 'src/basket.ts', 3, 8);
    await workbench.runCommand('Lineside: Send Selection to Session');
    await workbench.quickInput.enter('Is this type any good?', 'Message to "Edge cases: all types of content"');
    await conversation.article('Is this type any good?').waitFor();
    await conversation.article('I received one attachment').waitFor();
    await workbench.statusBarItem('lineside.status').filter({ hasText: 'Idle' }).waitFor();
    const [post, ...others] = service.posts();
    expect(others).toEqual([]);
    const lines = (await readFile(join(journey.folder, 'src', 'basket.ts'), 'utf8')).split('\n').slice(2, 8);
    expect(post?.files.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: 'basket.ts#L3-L8', path: 'src/basket.ts' },
    ]);
    expect(sha256({ base64: post?.files[0]?.data ?? '' })).toBe(sha256(Buffer.from(lines.join('\n'))));
  });

  /** hostileInterface.test.ts has the same tests for VS Code 1.139, which opens addresses with different code. */
  describe('a link in a message', () => {
    let links: MessageLinks;

    it('opens exactly the address that its tooltip shows, after VS Code asks, and mail addresses unchanged', async () => {
      links = await MessageLinks.open(journey.workbench, service);
      await links.expectShownAddresses();
      await links.expectMailAddress();
    });

    it('never runs a command or opens anything else', () => links.expectNothingElse());
  });
});
