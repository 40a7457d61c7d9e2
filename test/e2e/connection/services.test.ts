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
  openLink,
} from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { type RecordedService, useService } from '../journey/recordedService.ts';
import { chooseInContextMenu, hover, hoverUntil, treeRow } from '../journey/pointing.ts';
import { patiently, until } from '../journey/until.ts';

/** Both services use the same session IDs, so stored data must be kept separate for each service. */
describe('two services', () => {
  const work = useService({ token: 'key-of-work-31f8' });
  const lab = useService({ token: 'key-of-lab-90c2' });
  const journey = useJourney({
    settings: { 'lineside.polling.idleSeconds': 5 },
  });
  const title = 'Edge cases: all types of content';
  const waiting = 'Waits for the first service';
  const draft = 'A draft for the first service';

  it('cannot be added or selected through the settings of a folder', async () => {
    const { workbench, folder } = journey;
    await mkdir(join(folder, '.vscode'), { recursive: true });
    const settings = { 'lineside.baseUrl': lab.baseUrl, 'lineside.services': { Lab: lab.baseUrl } };
    await writeFile(join(folder, '.vscode', 'settings.json'), JSON.stringify(settings));
    await workbench.focusView('lineside.sessions');
    await workbench.page.locator('.part.sidebar').getByText('Try the demo').waitFor();
    await connect(workbench, work);
    await addSessions(workbench, work.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    expect(lab.requests).toEqual([]);
  });

  it('have separate drafts and queued messages', async () => {
    const { workbench } = journey;
    const page = conversationOf(workbench);
    await work.wire.refuseConnections();
    await page.say(waiting);
    await page.article(waiting).waitFor();
    await page.write(draft);
    await connect(workbench, lab);
    const before = work.requests.length;
    await work.wire.acceptConnections();
    await workbench.page.locator('.part.sidebar').getByText('No sessions yet. Add one by its ID or URL.').waitFor();
    await addSessions(workbench, lab.sessionIdByName.login);
    await page.article('The states of a session').waitFor();
    expect(lab.sessionIdByName.login).toBe(work.sessionIdByName.login);
    // Both services have the message awaited above, so wait for the other service's content to disappear as well.
    await expect.poll(() => page.composer.inputValue(), patiently).toBe('');
    await expect.poll(() => page.article(waiting).count(), patiently).toBe(0);
    await serviceLine(hostOf(lab)).waitFor();
    await page.write('A draft for the second one');
    expect([...work.posts(), ...lab.posts()]).toEqual([]);
    expect(work.requests.slice(before)).toEqual([]);
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
    await workbench
      .notification('The service "Plain" in your settings is invalid. http:// is only allowed for localhost')
      .waitFor();
    await workbench.start('lineside.renameService');
    await workbench.quickInput.pick('Lab');
    await workbench.quickInput.message.filter({ hasText: 'New name for' }).waitFor();
    await workbench.quickInput.fill('Plain');
    await workbench.quickInput.message.filter({ hasText: 'Another service is already named "Plain".' }).waitFor();
    await workbench.quickInput.cancel();
    await workbench.setSetting('lineside.services', services);
    await clearNotifications(workbench);
    await hoverUntil(workbench, workbench.statusBarItem('lineside.status'), hover(workbench, 'Service: Lab'));
  });

  it('are switched by a link only after confirmation, and queued messages are then sent', async () => {
    const { workbench } = journey;
    const page = conversationOf(workbench);
    const query = `session=${encodeURIComponent(work.sessionIdByName.login)}&service=${encodeURIComponent(work.baseUrl)}`;
    await chooseInContextMenu(workbench, treeRow(workbench, title), 'Copy and Export', 'Copy Link');
    const address = () => clipboardText(workbench);
    await expect.poll(address, patiently).toContain('/open?session=');
    const link = `${(await address()).split('?')[0]}?${query}`;
    const question = `The link opens a session on "${hostOf(work)}". Switch to this service?`;
    await openLink(workbench, link, question, 'Cancel');
    await serviceLine('Lab').waitFor();
    expect(work.posts()).toEqual([]);
    await openLink(workbench, link, question, 'Switch Service');
    await serviceLine(hostOf(work)).waitFor();
    await expect.poll(() => page.composer.inputValue(), patiently).toBe(draft);
    // If the first switch canceled an attempt, it isn't known that nothing was sent, so the user decides (R14).
    const sendAgain = page.button('Send Again').first();
    const confirm = workbench.dialog.getByRole('button', { name: 'Send Again', exact: true });
    await until(
      () => Promise.resolve(work.posts().length > 0),
      async () => {
        if (await confirm.isVisible()) await click(confirm);
        else if (await sendAgain.isVisible()) await click(sendAgain);
      },
    );
    await expect.poll(() => work.posts().map(({ text }) => text), patiently).toEqual([waiting]);
    await page.article(waiting).waitFor();
    expect(lab.posts()).toEqual([]);
  });

  it('are switched by a command, which restores the draft', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Open Conversation in Editor');
    const tab = conversationOf(workbench, 'editor');
    await tab.article(waiting).waitFor();
    await workbench.start('lineside.switchService');
    await workbench.quickInput.pick('Lab');
    await serviceLine('Lab').waitFor();
    await treeRow(workbench, title).waitFor();
    const { composer } = conversationOf(workbench);
    await expect.poll(() => composer.inputValue(), patiently).toBe('A draft for the second one');
    expect(keysOf(work)).toEqual([`Bearer ${work.token}`]);
    expect(keysOf(lab)).toEqual([`Bearer ${lab.token}`]);
  });

  it('can be switched from a tab that belongs to the other service', async () => {
    const { workbench } = journey;
    const tab = conversationOf(workbench, 'editor');
    await tab.frame.getByText(`This session belongs to ${work.baseUrl}.`).waitFor();
    await click(tab.button('Switch Service...'));
    await tab.article(waiting).waitFor();
    await serviceLine(hostOf(work)).waitFor();
    await workbench.execute('lineside.switchService', { service: lab.baseUrl });
    await serviceLine('Lab').waitFor();
  });

  it('can be removed after confirmation, and receive no requests after that', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.removeService');
    await workbench.quickInput.pick('Lab');
    const asked = workbench.dialog.filter({ hasText: 'Remove the service "Lab"?' });
    await click(asked.getByRole('button', { name: 'Remove Service' }));
    await workbench.page.locator('.part.sidebar').getByText('Connect to your agent service').waitFor();
    const before = lab.requests.length;
    await workbench.answerNotification('Removed the service "Lab"', 'Switch Service...');
    await workbench.quickInput.pick(hostOf(work));
    await treeRow(workbench, title).waitFor();
    await workbench.runCommand('Lineside: Test Connection');
    await workbench.notification(`Connected to ${work.baseUrl}. Responded in`).waitFor();
    await clearNotifications(workbench);
    expect(lab.requests.slice(before)).toEqual([]);
    expect(keysOf(work)).toEqual([`Bearer ${work.token}`]);
    await workbench.runCommand('Lineside: Connect to Service...');
    await workbench.quickInput.rows.filter({ hasText: 'Add Service...' }).waitFor();
    expect(await workbench.quickInput.rows.filter({ hasText: 'Lab' }).count()).toBe(0);
    await workbench.quickInput.cancel();
  });

  /** The line in the Sessions view that names the current service. */
  function serviceLine(name: string) {
    return journey.workbench.page.locator('.part.sidebar').getByText(`Service: ${name}`, { exact: true });
  }

  function settingsFile(): string {
    return join(journey.editor.dataFolder, 'data', 'User', 'settings.json');
  }
});

function hostOf({ baseUrl }: RecordedService): string {
  return new URL(baseUrl).host;
}

/** The distinct Authorization headers that a service has received. */
function keysOf({ requests }: RecordedService): (string | undefined)[] {
  return [...new Set(requests.map((request) => request.headers.authorization))];
}
