import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { click, focus } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { useService } from '../journey/recordedService.ts';
import { addSessions, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

describe('a conversation that is not fully loaded', () => {
  const service = useService({ messages: 600 });
  const journey = useJourney();
  const view = () => conversationOf(journey.workbench);
  const lists = () => service.requests.filter(({ url }) => url.includes('/messages?'));
  const folders: string[] = [];
  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true });
  });

  it('offers all its prompts in Go to Prompt, and shows one that was not loaded', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.history);
    await view().article('Turn 120').first().waitFor();
    await focus(view().log);
    await workbench.start('lineside.goToPrompt');
    await workbench.quickInput.rows.filter({ hasText: 'Turn 120:' }).first().waitFor();
    await workbench.quickInput.fill('Turn 7:');
    const prompt = workbench.quickInput.rows.filter({ hasText: 'Turn 7:' });
    await prompt.waitFor();
    expect(lists().filter(({ url }) => url.includes('role=user'))).toHaveLength(2);
    await click(prompt);
    await view().article('Turn 7:').first().waitFor();
    await expect.poll(() => view().article('Turn 7:').first().isVisible(), patiently).toBe(true);
  });

  it('is exported as JSON with all messages as the service returned them', async () => {
    const { workbench } = journey;
    const sessionId = service.sessionIdByName.history;
    const folder = await mkdtemp(join(tmpdir(), 'lineside-export-'));
    folders.push(folder);
    const file = join(folder, 'conversation.json');
    const uri = pathToFileURL(file).href;
    expect(await workbench.execute('lineside.exportConversation', { sessionId, uri })).toBe(uri);
    const { session, messages } = JSON.parse(await readFile(file, 'utf8')) as { session: object; messages: object[] };
    const headers = { authorization: `Bearer ${service.token}` };
    const get = async (path: string): Promise<unknown> =>
      (await fetch(`${service.baseUrl}/api/v0/sessions/${sessionId}${path}`, { headers })).json();
    const sent: object[] = [];
    for (let query = '?limit=100'; query !== '';) {
      const page = (await get(`/messages${query}`)) as {
        messages: object[];
        pagination: { nextCursor?: string | null };
      };
      sent.unshift(...page.messages.toReversed());
      const { nextCursor } = page.pagination;
      query = nextCursor ? `?limit=100&cursor=${encodeURIComponent(nextCursor)}` : '';
    }
    expect(sent).toHaveLength(600);
    expect(JSON.stringify(messages)).toBe(JSON.stringify(sent));
    expect(JSON.stringify(session)).toBe(JSON.stringify(await get('')));
  });
});
