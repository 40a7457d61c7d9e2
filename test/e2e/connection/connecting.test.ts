import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click } from '../../../tools/editor/drive/act.ts';
import { addSessions, clearNotifications, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { filesOnDisk, filesWith } from '../journey/keptFiles.ts';
import { formsOf, storedInBrowser } from '../journey/keptInBrowser.ts';
import { treeRow } from '../journey/pointing.ts';
import { useService } from '../journey/recordedService.ts';
import { finalCount, patiently } from '../journey/until.ts';

/** The first API key. Two tests check that it is neither on disk nor in browser storage. */
const canaryKey = 'canary-key-5d1f0a9b7c';
const laterKey = 'canary-key-after-the-change-88e2';
const mainTitle = "Reject fruits that aren't on sale";

/** A person's first minutes: the welcome views, the demo, and then a service. */
describe('connecting to a service', () => {
  const service = useService({ token: canaryKey });
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const welcome = () => journey.workbench.page.locator('.part.sidebar .welcome-view-content');

  it('begins with one button in each view', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.conversation');
    await view().button('Connect to Service...').waitFor();
    expect(await view().frame.locator('.button.is-primary').allInnerTexts()).toEqual(['Connect to Service...']);
    await workbench.focusView('lineside.sessions');
    const buttons = welcome().locator('.monaco-button');
    await expect.poll(() => buttons.allInnerTexts(), patiently).toEqual(['Connect to Service...']);
  });

  it('explains why a base URL is invalid', async () => {
    const { quickInput } = journey.workbench;
    await welcome().getByText('Try the demo').waitFor();
    await click(welcome().getByText('Connect to Service...'));
    await quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
    const sentences: Readonly<Record<string, string>> = {
      'ftp://api.example.com': 'The base URL must start with https://.',
      'https://': "This isn't a valid URL. Enter a URL such as https://api.example.com.",
      'http://api.example.com': 'http:// is only allowed for localhost',
      'https://me:secret@api.example.com': "The base URL can't contain a user name or password.",
      'https://api.example.com/?a=b': 'The base URL can\'t contain "?" or "#".',
    };
    for (const [text, sentence] of Object.entries(sentences)) {
      await quickInput.fill(text);
      await quickInput.message.filter({ hasText: sentence }).waitFor();
      await quickInput.accept();
      expect(await quickInput.input.inputValue()).toBe(text);
    }
    await quickInput.fill('');
    await quickInput.accept();
    await quickInput.message.filter({ hasText: 'Enter the base URL of the service' }).waitFor();
  });

  it('returns to the base URL if no service responds, and saves nothing', async () => {
    const { quickInput, page } = journey.workbench;
    await quickInput.enter('127.0.0.1:9', 'Enter the base URL');
    await quickInput.enter(canaryKey, 'API key');
    await quickInput.message.filter({ hasText: "Can't reach the service" }).waitFor();
    expect(await quickInput.message.innerText()).toContain('Nothing was saved.');
    await click(page.locator('.quick-input-titlebar').getByRole('button', { name: 'Back' }));
    await quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
    await expect.poll(() => quickInput.input.inputValue(), patiently).toBe('http://127.0.0.1:9');
    expect(await readFile(settingsFile(), 'utf8')).not.toContain('lineside');
    await quickInput.cancel();
  });

  it('can wait: the demo opens on a selection, edits, and an answer, and says that its agent is scripted', async () => {
    const { workbench } = journey;
    await click(welcome().getByText('Try the demo'));
    await view().article('Both tests pass.').waitFor();
    await expect.poll(() => view().title.innerText(), patiently).toBe(mainTitle);
    await view().article('basket.ts#L15-L20').waitFor();
    await view().log.getByRole('button', { name: 'Edited 2 files, ran 1 command' }).waitFor();
    await view().frame.getByRole('button', { name: '2 files +5 −1' }).waitFor();
    await expect.poll(() => treeRow(workbench, mainTitle).getAttribute('aria-selected'), patiently).toBe('true');
    // The tree shows which session needs the user, and lists the session with the edge cases.
    await treeRow(workbench, /^\s*Needs You\s*$/).waitFor();
    await expect
      .poll(() => treeRow(workbench, 'Show prices in two currencies').getAttribute('aria-label'), patiently)
      .toContain('may be waiting for you');
    await treeRow(workbench, 'Edge cases: all types of content').waitFor();
    // A child session is listed below its parent only.
    expect(await treeRow(workbench, 'Write tests for the redirect guard').count()).toBe(0);
    await view().say('What can you do?');
    await view().article('This agent is scripted').waitFor();
  });

  it('asks again if the service rejects an API key, and succeeds with a valid one', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const before = await readFile(settingsFile(), 'utf8');
    await workbench.runCommand('Lineside: Connect to Service...');
    // An address without a scheme is completed.
    await quickInput.enter(`${new URL(service.baseUrl).host}/api/v0/`, 'The base URL of your Sessions API');
    await quickInput.message.filter({ hasText: 'Paste the API key' }).waitFor();
    for (const wrong of ['not-the-key', 'nor-this-one']) {
      await quickInput.enter(wrong);
      await rejection();
      expect(await quickInput.input.getAttribute('type')).toBe('password');
    }
    expect(await readFile(settingsFile(), 'utf8')).toBe(before);
    await quickInput.enter(canaryKey, 'Nothing was saved');
    const saved = async () => JSON.parse(await readFile(settingsFile(), 'utf8')) as object;
    await expect.poll(saved, patiently).toMatchObject({ 'lineside.baseUrl': service.baseUrl });
  });

  it('leads from the demo to the first session in one flow, without those of the demo', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const prompt = `Connected to ${service.baseUrl}. Enter one or more session`;
    await quickInput.message.filter({ hasText: prompt }).waitFor();
    // The demo has a session with the same messages, except for the question.
    await expect.poll(() => view().article('What can you do?').count(), patiently).toBe(0);
    await quickInput.enter(service.sessionIdByName.selection, prompt);
    await view().article('Both tests pass.').waitFor();
    expect(await view().article('What can you do?').count()).toBe(0);
    await expect.poll(() => treeRow(workbench, mainTitle).count(), patiently).toBe(1);
    await expect.poll(() => treeRow(workbench, 'Edge cases').count(), patiently).toBe(0);
  });

  it('can be tested; a failed test is explained and can be repeated', async () => {
    const { workbench } = journey;
    const before = service.requests.length;
    await workbench.runCommand('Lineside: Test Connection');
    await workbench.notified(`Connected to ${service.baseUrl}. Responded in`);
    const keys = service.requests.slice(before).map((request) => request.headers.authorization);
    expect(new Set(keys)).toEqual(new Set([`Bearer ${canaryKey}`]));
    await clearNotifications(workbench);
    await service.wire.refuseConnections();
    await workbench.start('lineside.testConnection');
    await workbench.notified("Can't reach the service.");
    await service.wire.acceptConnections();
    await workbench.answerNotification("Can't reach the service", 'Retry');
    // VS Code doesn't show a toast right after a button in another toast is clicked, so use the notification list.
    await workbench.execute('notifications.showList');
    await workbench.notified(`Connected to ${service.baseUrl}. Responded in`);
    await clearNotifications(workbench);
  });

  it('continues with Add Session if the list is empty, which Escape ends without adding anything', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.execute('lineside.removeSession', { sessionId: service.sessionIdByName.selection });
    await welcome().getByText('No sessions yet. Add one by its ID or URL.').waitFor();
    await workbench.start('lineside.connect');
    await quickInput.widget.getByPlaceholder('Select a service').waitFor();
    await quickInput.fill(service.baseUrl);
    await quickInput.pick(`Connect to ${service.baseUrl}`);
    await quickInput.enter(canaryKey, 'API key');
    await quickInput.message
      .filter({ hasText: `Connected to ${service.baseUrl}. Enter one or more session` })
      .waitFor();
    await quickInput.cancel();
    await quickInput.widget.waitFor({ state: 'hidden' });
    await welcome().getByText('No sessions yet. Add one by its ID or URL.').waitFor();
    expect(await welcome().getByRole('button').allInnerTexts()).toEqual(['Add Session...']);
    await addSessions(workbench, service.sessionIdByName.selection);
  });

  it('accepts a new API key after the service has changed its key', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await service.restart({ token: laterKey });
    await workbench.start('lineside.refresh');
    await view().trouble.filter({ hasText: 'Your API key was rejected.' }).waitFor();
    await workbench.runCommand('Lineside: Set API Key...');
    await quickInput.enter(canaryKey, 'Paste the API key');
    await rejection();
    await quickInput.enter(laterKey);
    // On a busy machine, the toast may disappear before the test sees it, so check the key that requests use.
    await expect.poll(() => service.requests.at(-1)?.headers.authorization, patiently).toBe(`Bearer ${laterKey}`);
    await view().trouble.filter({ hasText: 'Your API key was rejected.' }).waitFor({ state: 'hidden' });
    await clearNotifications(workbench);
  });

  it('leaves an API key in use neither on disk nor in browser storage (R8)', async () => {
    await expectNoKeys();
  });

  it('sends no more requests after the API key is removed', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Remove API Key');
    await workbench.notified('Removed the API key for');
    await view().trouble.filter({ hasText: 'No API key for this service.' }).waitFor();
    const before = await finalCount(service.requests);
    await workbench.start('lineside.refresh');
    await workbench.start('lineside.testConnection');
    await workbench.notified('No API key for');
    await view().write('Never sent');
    await expect.poll(() => view().send.isDisabled(), patiently).toBe(true);
    await workbench.reload();
    // The next test reads what the frames of the page have stored, which fails while they are loading.
    await workbench.focusView('lineside.conversation');
    await view()
      .trouble.filter({ hasText: 'No API key for this service.' })
      .or(view().frame.getByText('Enter an API key for'))
      .first()
      .waitFor();
    await workbench.focusView('lineside.sessions');
    await workbench.page
      .getByText('No API key for this service. Showing')
      .or(workbench.page.getByText('Enter an API key for this service.'))
      .first()
      .waitFor();
    expect(service.requests.slice(before)).toEqual([]);
  });

  it('leaves no API key on disk or in browser storage (R8)', async () => {
    await expectNoKeys();
  });

  /** Expects both API keys to be neither on disk nor in browser storage, in plain text or in Base64. */
  async function expectNoKeys(): Promise<void> {
    const { workbench, editor } = journey;
    const [files, stored] = [await filesOnDisk(editor), await storedInBrowser(workbench.page)];
    // Finding values that are known to be stored shows that the search works.
    expect(await filesWith(files, service.baseUrl)).not.toEqual([]);
    expect(stored).toContain(service.baseUrl);
    for (const form of [canaryKey, laterKey].flatMap(formsOf)) {
      expect(await filesWith(files, form)).toEqual([]);
      expect(stored).not.toContain(form);
    }
  }

  /** Waits until the input box is empty and shows the response of the service below it. */
  async function rejection(): Promise<void> {
    const { quickInput } = journey.workbench;
    await expect.poll(() => quickInput.input.inputValue(), patiently).toBe('');
    const sentence =
      'Your API key was rejected. The service responded: The token is not valid. Nothing was saved. Enter the key again';
    await quickInput.message.filter({ hasText: sentence }).waitFor();
  }

  function settingsFile(): string {
    return join(journey.editor.dataFolder, 'data', 'User', 'settings.json');
  }
});
