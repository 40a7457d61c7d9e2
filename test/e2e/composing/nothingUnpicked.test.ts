import { describe, expect, it } from 'vitest';
import { type } from '../../../tools/editor/drive/act.ts';
import { addSessions, connect, conversationOf, openFile, selectLines } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

describe('content that is not attached', () => {
  const service = useService();
  const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } });

  it('is not sent while the user edits, selects, and saves files', async () => {
    const { workbench } = journey;

    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    const secret = 'Nobody was told this';
    for (const path of ['src/basket.ts', 'src/früchte.ts', 'README.md', 'src/price.ts']) {
      await openFile(workbench, path);
      await type(workbench.editorInput, `// ${secret} `);
      await selectLines(workbench, path, 1, 2);
      await workbench.runCommand('File: Save');
    }
    await conversationOf(workbench).write('A draft about to be sent, perhaps');
    const polled = service.requests.length;
    await expect.poll(() => service.requests.length, patiently).toBeGreaterThan(polled + 1);
    expect(new Set(service.requests.map((request) => request.method))).toEqual(new Set(['GET']));
    for (const { url, headers, body } of service.requests) {
      const told = `${decodeURIComponent(url)} ${JSON.stringify(headers)} ${body.toString('utf8')}`;
      for (const word of [secret, 'basket', 'orchard', 'draft']) expect(told).not.toContain(word);
    }
  });

  it('is not sent along with messages', async () => {
    const { workbench } = journey;
    for (const [index, path] of ['src/price.ts', 'package.json', 'src/früchte.ts'].entries()) {
      await selectLines(workbench, path, 1, 3);
      await conversationOf(workbench).say(`Message ${index}`);
      await expect.poll(() => service.posts().length, patiently).toBe(index + 1);
    }
    const sent = service.posts().map(({ text, files, images }) => ({ text, files, images }));
    expect(sent).toEqual([0, 1, 2].map((index) => ({ text: `Message ${index}`, files: [], images: [] })));
  });
});
