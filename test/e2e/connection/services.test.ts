import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import {
  addSessions,
  clearNotifications,
  clipboardText,
  connect,
  conversationOf,
  openFile,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { type RecordedService, useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, chooseInViewMenu, hover, hoverUntil, treeRow } from '../journey/pointing.ts';
import { finalCount, patiently, until } from '../journey/until.ts';

/** Both services use the same session IDs, so stored data must be kept separate for each service. */
describe('two services', () => {
  const work = useService({ token: 'key-of-work-31f8' });
  const lab = useService({ token: 'key-of-lab-90c2' });
  // The folder is trusted, and has its settings before the window opens.
  const journey = useJourney({ settings: { 'lineside.polling.idleSeconds': 5 } }, async (_, folder) => {
    const settings = {
      'lineside.baseUrl': lab.baseUrl,
      'lineside.services': { Lab: lab.baseUrl },
      'lineside.network.route': 'editor',
      'lineside.attachments.askBefore': [],
    };
    await mkdir(join(folder, '.vscode'), { recursive: true });
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
  });
  const title = 'Edge cases: all types of content';
  const waiting = 'Waits for the first service';
  const draft = 'A draft for the first service';

  it('cannot be added, selected, or reached through the settings of a folder', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.focusView('lineside.sessions');
    await workbench.page.locator('.part.sidebar').getByText('Connect to your agent service').waitFor();
    await chooseInViewMenu(workbench, 'Service', 'Test Connection');
    await workbench.notified('No service to test. Connect to a service first.');
    await openFile(workbench, 'src/basket.ts');
    await workbench.runCommand('Lineside: Connect to Service...');
    await quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
    // The URL in the folder settings isn't even suggested.
    expect(await quickInput.input.inputValue()).toBe('');
    await quickInput.cancel();
    await connect(workbench, work);
    await addSessions(workbench, work.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    expect({ requests: lab.requests, connections: lab.wire.connectionCount }).toEqual({ requests: [], connections: 0 });
  });

  it('are in one list, with separate drafts and queued messages', async () => {
    const { workbench } = journey;
    const page = conversationOf(workbench);
    await work.wire.refuseConnections();
    await page.say(waiting);
    await page.article(waiting).getByText('Waiting to be sent').waitFor();
    await page.article(waiting).getByText("Can't reach the service").waitFor();
    await page.write(draft);
    await connect(workbench, lab);
    await addSessions(workbench, lab.sessionIdByName.login);
    await page.article('The states of a session').waitFor();
    expect(lab.sessionIdByName.login).toBe(work.sessionIdByName.login);
    // Both services have the message awaited above, so wait for the other service's content to disappear as well.
    await expect.poll(() => page.composer.inputValue(), patiently).toBe('');
    await expect.poll(() => page.article(waiting).count(), patiently).toBe(0);
    await serviceLine(hostOf(lab)).waitFor();
    for (const service of [work, lab]) await rowOn(hostOf(service)).waitFor();
    await page.write('A draft for the second one');
    expect([...work.posts(), ...lab.posts()]).toEqual([]);
    await work.wire.acceptConnections();
    // The next attempt is up to 30 s away.
    await workbench.execute('lineside.refresh');
    await expect.poll(() => work.posts().map(({ text }) => text), patiently).toEqual([waiting]);
    expect(lab.posts()).toEqual([]);
  });

  it('can be renamed, which changes only the settings', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.renameService');
    await workbench.quickInput.pick(hostOf(lab));
    await workbench.quickInput.enter('Lab', 'New name for');
    await serviceLine('Lab').waitFor();
    const saved = async () => JSON.parse(await readFile(settingsFile(), 'utf8')) as object;
    await expect.poll(saved, patiently).toMatchObject({
      'lineside.baseUrl': lab.baseUrl,
      'lineside.services': { [hostOf(work)]: work.baseUrl, Lab: lab.baseUrl },
    });
    const services = { [hostOf(work)]: work.baseUrl, Lab: lab.baseUrl };
    await workbench.setSetting('lineside.services', { ...services, Plain: 'http://elsewhere.test' });
    await workbench.notified('The service "Plain" in your settings is invalid. http:// is only allowed for localhost');
    await workbench.start('lineside.renameService');
    await workbench.quickInput.pick('Lab');
    await workbench.quickInput.message.filter({ hasText: 'New name for' }).waitFor();
    await workbench.quickInput.fill('Plain');
    await workbench.quickInput.message.filter({ hasText: 'Another service is already named "Plain".' }).waitFor();
    await workbench.quickInput.cancel();
    await workbench.setSetting('lineside.services', services);
    await clearNotifications(workbench);
    await hoverUntil(workbench, workbench.statusBarItem('lineside.status'), hover(workbench, 'Current service: Lab'));
  });

  it('open links to their sessions, whichever is the current one', async () => {
    const { workbench } = journey;
    const page = conversationOf(workbench);
    const query = `session=${encodeURIComponent(work.sessionIdByName.login)}&service=${encodeURIComponent(work.baseUrl)}`;
    await chooseInContextMenu(workbench, treeRow(workbench, title), 'Copy and Export', 'Copy Link');
    const address = () => clipboardText(workbench);
    await expect.poll(address, patiently).toContain('/open?session=');
    await workbench.openLinks(`${(await address()).split('?')[0]}?${query}`);
    const allow = workbench.dialog.getByRole('button', { name: 'Open', exact: true });
    await until(
      async () => (await page.composer.inputValue()) === draft,
      async () => {
        if (await allow.isVisible()) await click(allow);
      },
    );
    await page.article(waiting).waitFor();
    await serviceLine('Lab').waitFor();
  });

  it('stay in the list when another one becomes the current one, with their own keys', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.switchService');
    await workbench.quickInput.rows.filter({ hasText: 'Lab' }).filter({ hasText: '1 session' }).waitFor();
    await workbench.quickInput.pick(hostOf(work));
    await serviceLine(hostOf(work)).waitFor();
    for (const name of [hostOf(work), 'Lab']) await rowOn(name).waitFor();
    expect(await conversationOf(workbench).composer.inputValue()).toBe(draft);
    expect(keysOf(work)).toEqual([`Bearer ${work.token}`]);
    expect(keysOf(lab)).toEqual([`Bearer ${lab.token}`]);
    await workbench.execute('lineside.switchService', { service: lab.baseUrl });
    await serviceLine('Lab').waitFor();
  });

  it('can be removed after confirmation, and receive no requests after that', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.removeService');
    await workbench.quickInput.pick('Lab');
    const asked = workbench.dialog.filter({ hasText: 'Remove the service "Lab"?' });
    await click(asked.getByRole('button', { name: 'Remove Service' }));
    await workbench.notification('Removed the service "Lab"').waitFor();
    await rowOn('Lab').waitFor({ state: 'detached' });
    const before = await finalCount(lab.requests);
    await treeRow(workbench, title).waitFor();
    await workbench.start('lineside.testConnection');
    await workbench.notified(`Connected to ${work.baseUrl}. Responded in`);
    await clearNotifications(workbench);
    expect(lab.requests.slice(before)).toEqual([]);
    expect(keysOf(work)).toEqual([`Bearer ${work.token}`]);
    await workbench.start('lineside.connect');
    await workbench.quickInput.rows.filter({ hasText: 'Add Service...' }).waitFor();
    expect(await workbench.quickInput.rows.filter({ hasText: 'Lab' }).count()).toBe(0);
    await workbench.quickInput.cancel();
  });

  /** The line in the Sessions view that names the current service. */
  function serviceLine(name: string) {
    return journey.workbench.page.locator('.part.sidebar').getByText(`Current service: ${name}`);
  }

  /** The row of the session on this service. Its accessible name contains the name of the service. */
  function rowOn(name: string) {
    const { workbench } = journey;
    const spoken = [title, name].map((text) => `[aria-label*=${JSON.stringify(text)}]`).join('');
    return workbench.treeRows('Sessions').and(workbench.page.locator(spoken));
  }

  function settingsFile(): string {
    return join(journey.editor.dataFolder, 'data', 'User', 'settings.json');
  }
});

function hostOf({ baseUrl }: RecordedService): string {
  return new URL(baseUrl).host;
}

/** The distinct Authorization headers that a service has received; undefined stands for requests without one. */
function keysOf({ requests }: RecordedService): (string | undefined)[] {
  return [...new Set(requests.map((request) => request.headers.authorization))];
}
