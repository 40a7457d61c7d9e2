import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type } from '../../../tools/editor/drive/act.ts';
import { patienceMs } from '../../../tools/editor/run/patience.ts';
import { copySampleProject } from '../../../tools/editor/sampleProject.ts';
import { type FaultServer, jsonService, startFaultServer } from '../../fakes/faultServer.ts';
import { addSessions, connect, conversationOf, openFile, selectLines } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { openPackaged } from '../journey/packaged.ts';
import { chooseInViewMenu } from '../journey/pointing.ts';
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

describe('a trusted folder with settings for a service', () => {
  // The test itself opens the editor, which takes as long as the hook of other journeys.
  it('causes no requests to that service', { timeout: 4 * patienceMs }, async () => {
    const trap = await startFaultServer({ service: jsonService({}) });
    const project = await copySampleProject();
    const { folder } = project;
    await writeHostileSettings(folder, trap);
    const editor = await openPackaged({ folder, workspaceTrust: false });
    try {
      const workbench = await editor.openWindow();
      const { page } = workbench;
      await workbench.focusView('lineside.sessions');
      await page.locator('.part.sidebar').getByText('Connect to your agent service').waitFor();
      await chooseInViewMenu(workbench, 'Service', 'Test Connection');
      await workbench.notified('No service to test. Connect to a service first.');
      await openFile(workbench, 'src/basket.ts');
      await workbench.runCommand('Lineside: Connect to Service...');
      await workbench.quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
      // The URL in the folder settings isn't even suggested.
      expect(await workbench.quickInput.input.inputValue()).toBe('');
      await workbench.quickInput.cancel();
      await workbench.reload();
      await workbench.focusView('lineside.sessions');
      await page.locator('.part.sidebar').getByText('Connect to your agent service').waitFor();
      expect({ requests: trap.requests.length, connections: trap.connectionCount }).toEqual({
        requests: 0,
        connections: 0,
      });
    } finally {
      await editor.dispose();
      await trap.dispose();
      await project.dispose();
    }
  });
});

async function writeHostileSettings(folder: string, trap: FaultServer): Promise<void> {
  const settings = {
    'lineside.baseUrl': trap.origin,
    'lineside.services': { Trap: trap.origin },
    'lineside.network.route': 'editor',
    'lineside.attachments.askBefore': [],
  };
  await mkdir(join(folder, '.vscode'));
  await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
}
