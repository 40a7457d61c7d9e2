import { mkdir, readdir, rename, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { click, hover } from '../../../tools/editor/drive/act.ts';
import { useJourney } from '../journey/journey.ts';
import { chooseInOpenMenu, untilItSucceeds } from '../journey/pointing.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { addSessions, clipboardText, connect, conversationOf } from '../journey/sessionSteps.ts';
import { patiently } from '../journey/until.ts';

const root = '/home/agent/work/shop';
/** Files that the agent read, and that the test adds to the workspace. */
const files = ['lib/parcel.ts', 'lib/stamp.ts', 'lib/letter/envelope.ts'];

const answer = [
  `See [the parcel](${root}/lib/parcel.ts#L2-L3), \`${root}/lib/stamp.ts:2\`, and ${root}/lib/letter/envelope.ts.`,
  `Nothing leads to [the keys](../../.ssh/id_rsa), [the users](/etc/passwd), [outside](${root}/out/secret.txt), [later](lib/later.ts),`,
  'or `CON:3`, [a share](//server/share/a.ts), and [a command](command:workbench.action.quit).',
].join('\n');
/** The contents of a seeded conversation: work of an agent on another computer. */
const contents: Readonly<Record<string, readonly unknown[]>> = {
  msg_tests_00002: files.map((file) => ({
    ...{ type: 'tool_use', toolUseId: file, id: file, name: 'Read' },
    input: { file_path: `${root}/${file}` },
  })),
  msg_tests_00003: files.map((toolUseId) => ({
    ...{ type: 'tool_result', toolUseId },
    content: [{ type: 'text', text: 'export {};' }],
  })),
  msg_tests_00004: [{ type: 'text', text: answer }],
};

describe('links to files', () => {
  const service = useService({}, withContents(contents));
  const journey = useJourney();
  const log = () => conversationOf(journey.workbench).log;
  const link = (name: string) => log().locator('a.path-link', { hasText: name }).last();
  const tabs = (name: string) => journey.workbench.page.locator('.part.editor .tab', { hasText: name });
  const write = async (path: string) => {
    await mkdir(dirname(join(journey.folder, path)), { recursive: true });
    await writeFile(join(journey.folder, path), 'one\ntwo\nthree\nfour\n');
  };

  it('lead from paths on the computer of the agent to the workspace', async () => {
    const { workbench } = journey;
    for (const file of files) await write(file);
    const outside = join(journey.folder, '..', 'secret.txt');
    await writeFile(outside, 'x');
    await mkdir(join(journey.folder, 'out'));
    await symlink(outside, join(journey.folder, 'out', 'secret.txt'));
    await connect(workbench, service);
    await addSessions(workbench, service.sessionIdByName.tests);
    await link('the parcel').waitFor();
    expect(await link('the parcel').getAttribute('title')).toMatch(
      /lib\/parcel\.ts[^]*\/home\/agent\/work\/shop\/lib\/parcel\.ts[^]* on /,
    );
    await hover(link('the parcel'));
    await workbench.picture('file links');
    await click(link('the parcel'));
    await tabs('parcel.ts').waitFor();
    await workbench.page
      .locator('.part.statusbar')
      .getByText(/\(9 selected\)/)
      .waitFor();
  });

  it('open to the side with Ctrl+click', async () => {
    const { workbench } = journey;
    await click(link('lib/stamp.ts:2'), { modifiers: ['ControlOrMeta'] });
    await expect.poll(() => workbench.page.locator('.editor-group-container').count(), patiently).toBe(2);
    await tabs('stamp.ts').waitFor();
    await workbench.page.locator('.part.statusbar').getByText('Ln 2, Col 1').waitFor();
  });

  it('are text if they lead out of the workspace', async () => {
    const labels = ['the keys', 'the users', 'outside', 'later', 'a share'];
    for (const label of labels) {
      const text = log().locator('.path-text', { hasText: label }).last();
      expect(await text.getAttribute('title')).toContain("isn't in this workspace");
      const before = await tabs('').count();
      await click(text);
      expect(await tabs('').count()).toBe(before);
    }
    expect(await log().locator('p').filter({ hasText: 'CON:3' }).last().textContent()).toContain(
      '[a command](command:workbench.action.quit)',
    );
    expect(await readdir(join(journey.folder, 'out'))).toEqual(['secret.txt']);
  });

  it('become links when the file appears', async () => {
    await write('lib/later.ts');
    await link('later').waitFor();
  });

  it('have a context menu', async () => {
    const { workbench } = journey;
    const choose = async (name: string, item: string) => {
      const menu = workbench.page.locator('.monaco-menu:visible');
      // A page that takes the focus closes the menu.
      await untilItSucceeds(async () => {
        await click(link(name), { button: 'right', effect: async () => (await menu.count()) > 0 });
        await chooseInOpenMenu(workbench, item);
      });
    };
    await choose('the parcel', 'Copy Relative Path');
    await expect.poll(() => clipboardText(workbench), patiently).toBe(join('lib', 'parcel.ts'));
    await workbench.execute('workbench.action.closeAllEditors');
    await choose('the parcel', 'Open to the Side');
    await tabs('parcel.ts').waitFor();
    await choose('lib/stamp.ts:2', 'Attach');
    await workbench.webview({ place: 'view' }).locator('.composer').getByText('stamp.ts').first().waitFor();
  });

  it('are in documents', async () => {
    const { workbench } = journey;
    await workbench.runCommand('Lineside: Open Conversation as Document');
    const links = async () => {
      const found = (await workbench.execute('linesideProbe.actions', ['lineside'])) as readonly { links: string[] }[];
      return found.flatMap((one) => one.links).filter((target) => target.startsWith('file:'));
    };
    const folder = pathToFileURL(journey.folder).href;
    await expect
      .poll(links, patiently)
      .toEqual(
        expect.arrayContaining([
          `${folder}/lib/parcel.ts#L2,1-3,1000001`,
          `${folder}/lib/stamp.ts#L2,1`,
          `${folder}/lib/letter/envelope.ts`,
          `${folder}/lib/later.ts`,
        ]),
      );
    expect((await links()).filter((target) => !target.startsWith(`${folder}/lib/`))).toEqual([]);
  });

  it('are text after their file was renamed', async () => {
    await rename(join(journey.folder, 'lib/later.ts'), join(journey.folder, 'lib/sooner.ts'));
    await journey.workbench.focusView('lineside.conversation');
    await log().locator('.path-text', { hasText: 'later' }).last().waitFor();
  });

  it('follow Map Agent Folder', async () => {
    const { workbench } = journey;
    await workbench.focusView('lineside.conversation');
    await workbench.start('lineside.mapAgentFolder');
    await workbench.quickInput.rows.filter({ hasText: root }).first().waitFor();
    await workbench.picture('map agent folder');
    await click(workbench.quickInput.rows.filter({ hasText: root }).first());
    await click(workbench.quickInput.rows.filter({ hasText: "Don't Map" }));
    await link('the parcel').waitFor({ state: 'detached' });
    await log().locator('.path-text', { hasText: 'the parcel' }).last().waitFor();
  });
});
