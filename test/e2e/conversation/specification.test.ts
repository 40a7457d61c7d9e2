import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { click, doubleClick, press } from '../../../tools/editor/drive/act.ts';
import { addSessions, clearNotifications, clipboardText, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { type RecordedService, useService, withObjects } from '../journey/recordedService.ts';
import { patiently, until } from '../journey/until.ts';

/** Trims texts, returns the name and path of a file only in its source, and leaves its text and its bytes out. */
const loosely = withObjects((fields) => {
  if (fields['type'] === 'text') return { ...fields, text: String(fields['text']).trim() };
  if (fields['type'] !== 'document') return fields;
  const { name, path, mediaType } = fields;
  return { type: 'file', source: { type: 'base64', name, path, mediaType } };
});

const cell = (source: string, outputs: readonly unknown[]) => ({
  cell_type: 'code',
  metadata: {},
  source: [source],
  outputs,
  execution_count: 1,
});
const notebook = {
  cells: [cell('print("pears")\n', [{ output_type: 'stream', name: 'stdout', text: ['pears\n'] }])],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};

describe('features that the specification offers, and cases that it leaves open', () => {
  const strict = useService();
  const loose = useService({ imageMediaType: 'required', patch: 'replace', listRoles: false }, loosely);
  const journey = useJourney();
  const conversation = () => conversationOf(journey.workbench);
  /** The computers that the latest GET requests for a session name. */
  const computersOf = ({ requests }: RecordedService, sessionId: string) =>
    requests
      .filter(({ method, url }) => method === 'GET' && url.includes(`/sessions/${sessionId}`))
      .map(({ url }) => new URL(url, 'http://h').searchParams.get('computerId'));
  const attachCell = async () => {
    const { workbench } = journey;
    // The notebook becomes the active editor some time after the editor that covered it has closed.
    await workbench.page.locator('.part.statusbar').getByText('Cell 1 of 1').waitFor();
    await workbench.start('lineside.attachNotebookCells');
    await workbench.quickInput.rows.filter({ hasText: 'with outputs (5 B)' }).waitFor();
    await workbench.quickInput.accept();
    await expect.poll(() => conversation().chips.count(), patiently).toBe(2);
  };

  it('reads a session from the computer in a pasted address, and shows that', async () => {
    const { workbench } = journey;
    await connect(workbench, strict);
    const { login } = strict.sessionIdByName;
    await addSessions(workbench, `${strict.baseUrl}/api/v0/sessions/${login}?computerId=computer-build-server`);
    await conversation().article('The states of a session').waitFor();
    await conversation()
      .status.filter({ hasText: /From .?computer-build-server/ })
      .waitFor();
    await workbench.picture('read from a computer');
    expect(new Set(computersOf(strict, login))).toEqual(new Set(['computer-build-server']));
    await workbench.start('lineside.copyLink');
    await expect.poll(() => clipboardText(workbench), patiently).toContain('&computer=computer-build-server');
  });

  it('shows the text that was sent with a file', async () => {
    const message = conversation().article('redirects.pdf');
    const goUp = async () => {
      await press(conversation().log, 'Home');
      return message.count();
    };
    await expect.poll(goUp, patiently).toBe(1);
    const fold = message.getByRole('button', { name: /^Parsed text/ });
    await fold.scrollIntoViewIfNeeded();
    await click(fold);
    await message.getByText('Redirects per day: Mon 12').waitFor();
    await journey.workbench.picture('parsed text');
  });

  it('reads it from another computer, or from any, on request', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    const { login } = strict.sessionIdByName;
    const choose = async (text: string) => {
      await workbench.start('lineside.readFromComputer');
      await quickInput.rows.filter({ hasText: 'No specific computer' }).waitFor();
      await workbench.picture('choose a computer to read from');
      await quickInput.pick(text);
    };
    await choose('computer-workstation');
    await expect.poll(() => computersOf(strict, login).at(-1), patiently).toBe('computer-workstation');
    await conversation()
      .status.filter({ hasText: /From .?computer-workstation/ })
      .waitFor();
    await choose('No specific computer');
    await expect.poll(() => computersOf(strict, login).at(-1), patiently).toBe(null);
    await expect.poll(() => conversation().status.innerText(), patiently).not.toContain('From ');
  });

  it('sends the outputs of a notebook cell, which can be opened and removed first', async () => {
    const { workbench } = journey;
    const { page } = workbench;
    await writeFile(join(journey.folder, 'fruit.ipynb'), JSON.stringify(notebook));
    await workbench.runCommand('View: Show Explorer');
    await workbench.runCommand('Refresh Explorer');
    const file = page.locator('.part.sidebar [role="treeitem"]', { hasText: 'fruit.ipynb' });
    // Rows in the Explorer can move while it refreshes.
    await until(
      () => page.locator('.part.editor .tab.active', { hasText: 'fruit.ipynb' }).isVisible(),
      () => doubleClick(file),
    );
    await attachCell();
    const outputs = conversation().chips.filter({ hasText: 'Outputs of' });
    await workbench.picture('outputs of a cell');
    await click(outputs.getByRole('button').first());
    await page.locator('.part.editor .tab.active', { hasText: '.outputs.txt' }).waitFor();
    await page.locator('.part.editor .view-lines').getByText('pears').waitFor();
    await conversation().say('With outputs');
    await expect
      .poll(() => strict.posts().at(-1), patiently)
      .toMatchObject({
        text: 'With outputs',
        isProcessed: true,
        files: [{ name: 'fruit.ipynb#cell-1 (python)', parsedData: 'pears' }],
      });
    await expect.poll(() => conversation().chips.count(), patiently).toBe(0);
    // The preview covers the notebook, from which the cell is attached again.
    await workbench.execute('workbench.action.closeActiveEditor');
    await attachCell();
    await click(outputs.getByRole('button', { name: /^Remove Outputs of/ }));
    await expect.poll(() => conversation().chips.count(), patiently).toBe(1);
    await conversation().say('Without outputs');
    await expect.poll(() => strict.posts().at(-1)?.text, patiently).toBe('Without outputs');
    expect(strict.posts().at(-1)?.files[0]).not.toHaveProperty('parsedData');
  });

  it('works with a service that requires a media type, trims text, and returns less than it received', async () => {
    const { workbench } = journey;
    await clearNotifications(workbench);
    await connect(workbench, loose);
    await addSessions(
      workbench,
      `${loose.baseUrl}/sessions/${loose.sessionIdByName.tests}?computerId=computer-workstation`,
    );
    await conversation()
      .status.filter({ hasText: /From .?computer-workstation/ })
      .waitFor();
    await attachCell();
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await conversation().composer.evaluate((field, base64) => {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'dot.png', { type: 'image/png' }));
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, png);
    await expect.poll(() => conversation().chips.count(), patiently).toBe(3);
    await conversation().say('Look at this   ');
    await expect.poll(() => loose.posts().length, patiently).toBe(2);
    expect(loose.posts().map(({ images }) => images.map(({ mediaType }) => mediaType))).toEqual([
      [undefined],
      ['image/png'],
    ]);
    const sent = conversation().article('Look at this');
    await sent.getByText('fruit.ipynb#cell-1 (python)').waitFor();
    await sent.getByRole('img').first().waitFor();
    await conversation()
      .article('I received two attachments')
      .or(conversation().article('I received 2 attachments'))
      .waitFor();
    expect(await sent.count()).toBe(1);
    await workbench.picture('what came back');
    expect(new Set(computersOf(loose, loose.sessionIdByName.tests))).toEqual(new Set(['computer-workstation']));
    expect(loose.posts()).toHaveLength(2);
  });
});
