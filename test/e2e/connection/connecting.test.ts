import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addSessions, clearNotifications, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { patiently } from '../journey/until.ts';

/** Found nowhere on disk, wherever one looks. */
const canaryKey = 'canary-key-5d1f0a9b7c';
const laterKey = 'canary-key-after-the-change-88e2';

describe('connecting to a service', () => {
  const service = useService({ token: canaryKey });
  const journey = useJourney();

  it('says of each wrong base URL what is wrong with it', async () => {
    const { workbench } = journey;
    const { quickInput, page } = workbench;
    await workbench.focusView('Sessions');
    const welcome = page.locator('.part.sidebar .welcome-view-content');
    await welcome.getByRole('button', { name: 'Try the Demo' }).waitFor();
    await welcome.getByText('Connect to Service...').click();
    await quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
    const sentences: Readonly<Record<string, string>> = {
      'api.example.com': 'The base URL must start with https://.',
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

  it('goes back to the URL where nobody answers, and keeps nothing', async () => {
    const { quickInput, page } = journey.workbench;
    await quickInput.enter('http://127.0.0.1:9', 'Enter the base URL');
    await quickInput.enter(canaryKey, 'API key');
    await quickInput.message.filter({ hasText: "Can't reach the service" }).waitFor();
    expect(await quickInput.message.innerText()).toContain('Nothing was saved.');
    await page.locator('.quick-input-titlebar').getByRole('button', { name: 'Back' }).click();
    await quickInput.message.filter({ hasText: 'The base URL of your Sessions API' }).waitFor();
    await expect.poll(() => quickInput.input.inputValue(), patiently).toBe('http://127.0.0.1:9');
    expect(await readFile(settingsFile(), 'utf8')).not.toContain('lineside');
  });

  it('asks again for a key that the service refuses, and connects with the right one', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await quickInput.enter(`${service.baseUrl}/api/v0/`, 'The base URL of your Sessions API');
    await quickInput.message.filter({ hasText: 'Paste the API key' }).waitFor();
    for (const wrong of ['not-the-key', 'nor-this-one']) {
      await quickInput.enter(wrong);
      await refusal();
      expect(await quickInput.input.getAttribute('type')).toBe('password');
    }
    expect(await readFile(settingsFile(), 'utf8')).not.toContain('lineside');
    await quickInput.enter(canaryKey, 'Nothing was saved');
    await workbench.page.locator('.part.sidebar').getByText('No sessions yet. Add one by its ID or URL.').waitFor();
    expect(JSON.parse(await readFile(settingsFile(), 'utf8'))).toMatchObject({
      'lineside.baseUrl': service.baseUrl,
    });
    // Not every notification becomes a toast; the list has them all.
    await workbench.runCommand('Notifications: Show Notifications');
    await workbench.notification(`Connected to ${service.baseUrl}.`).first().waitFor();
    await clearNotifications(workbench);
  });

  it('is still connected after the window was reloaded', async () => {
    const { workbench } = journey;
    await workbench.reload();
    const before = service.requests.length;
    await workbench.runCommand('Lineside: Test Connection');
    await workbench.notification(`Connected to ${service.baseUrl}. Responded in`).first().waitFor();
    const keys = service.requests.slice(before).map((request) => request.headers.authorization);
    expect(new Set(keys)).toEqual(new Set([`Bearer ${canaryKey}`]));
    await clearNotifications(workbench);
  });

  it('says what is wrong when the connection is tested in vain', async () => {
    const { workbench } = journey;
    await service.wire.refuseConnections();
    await workbench.runCommand('Lineside: Test Connection');
    await workbench.notification("Can't reach the service (ECONNREFUSED).").first().waitFor();
    await service.wire.acceptConnections();
    await workbench.answerNotification("Can't reach the service", 'Retry');
    // VS Code shows no toast for what a toast's own button leads to so soon; its list has it.
    await workbench.runCommand('Notifications: Show Notifications');
    await workbench.notification(`Connected to ${service.baseUrl}. Responded in`).first().waitFor();
    await clearNotifications(workbench);
  });

  it('takes a new key when the service has one', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await addSessions(workbench, service.sessionIdByName.login);
    await conversationOf(workbench).article('The states of a session').waitFor();
    await service.restart({ token: laterKey });
    await workbench.runCommand('Lineside: Refresh');
    await conversationOf(workbench).trouble.filter({ hasText: 'Your API key was rejected.' }).waitFor();
    await workbench.runCommand('Lineside: Set API Key...');
    await quickInput.enter(canaryKey, 'Paste the API key');
    await refusal();
    await quickInput.enter(laterKey);
    // A toast comes and goes by itself, on a busy machine too soon: what counts is the key that is used from now on.
    await expect.poll(() => service.requests.at(-1)?.headers.authorization, patiently).toBe(`Bearer ${laterKey}`);
    await conversationOf(workbench)
      .trouble.filter({ hasText: 'Your API key was rejected.' })
      .waitFor({ state: 'hidden' });
    await clearNotifications(workbench);
  });

  it('asks the service for nothing more once the key is removed', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Remove API Key');
    await workbench.notification('Removed the API key for').waitFor();
    await conversationOf(workbench).trouble.filter({ hasText: 'No API key for this service.' }).waitFor();
    const before = service.requests.length;
    await workbench.runCommand('Lineside: Refresh');
    await workbench.runCommand('Lineside: Test Connection');
    await workbench.notification('No API key for').first().waitFor();
    await conversationOf(workbench).composer.fill('Never sent');
    await expect.poll(() => conversationOf(workbench).send.isDisabled(), patiently).toBe(true);
    await workbench.reload();
    await workbench.focusView('Sessions');
    await workbench.page
      .getByText('No API key for this service. Showing')
      .or(workbench.page.getByText('Enter an API key for this service.'))
      .first()
      .waitFor();
    expect(service.requests.slice(before)).toEqual([]);
  });

  it('left neither key on disk, nor readable in the browser', async () => {
    const { workbench, editor } = journey;
    const files = await filesBelow(editor.dataFolder);
    // What is known to be there is found, so the search can find something.
    expect(await filesWith(files, service.baseUrl)).not.toEqual([]);
    for (const key of [canaryKey, laterKey]) {
      const base64 = Buffer.from(key).toString('base64').replace(/=+$/, '');
      for (const form of [key, base64]) expect(await filesWith(files, form)).toEqual([]);
      const stored = await workbench.page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect(stored).not.toContain(key);
    }
  });

  /** The box is empty again, and under it stands what the service said. */
  async function refusal(): Promise<void> {
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

/** Every file below a folder, but those of the installed extension itself. */
async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(join(folder, 'extensions')))
    .map((entry) => join(entry.parentPath, entry.name));
}

async function filesWith(files: readonly string[], text: string): Promise<string[]> {
  const contents = await Promise.all(files.map((file) => readFile(file, 'latin1').catch(emptyWhereGone)));
  return files.filter((_, index) => contents[index]?.includes(text));
}

/** VS Code is at work while its files are looked through: some go, and hold nothing any more. */
function emptyWhereGone(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '';
  throw error;
}
