/** What VS Code itself makes of the texts of an agent in every kind of document (R47). See docs/security.md. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Locator } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { corpora } from '../../fakes/corpora.ts';
import { hostileLinks } from '../../fakes/hostileLinks.ts';
import { leadsOut } from '../../fakes/markdownLinks.ts';
import { click, hover, press } from '../../../tools/editor/drive/act.ts';
import { addSessions, chooseInRow, connect, conversationOf, expandStep, openOutput } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { treeRow } from '../journey/pointing.ts';
import { useService, withContent, withObjects } from '../journey/recordedService.ts';
import { patiently, untilItSucceeds } from '../journey/until.ts';

/**
 * If VS Code's Markdown extension fails for one link, it finds no links in the document at all. If it finds this one,
 * it didn't fail.
 */
const sentinel = '[sentinel](mailto:sentinel@x.test)';
const links = [...hostileLinks, sentinel].join('\n\n');
/**
 * Links that VS Code finds in a document that isn't protected. The control document has these instead of the
 * {@link hostileLinks}, because VS Code's Markdown extension fails for some of those.
 */
const livePlaces = ['[a](TARGET)', '[a][b]\n\n[b]: TARGET', '<TARGET>', '<a href="TARGET">a</a>', '![a](TARGET)'];
const control = ['command:linesideProbe.canary', 'file:///etc/passwd', 'https://example.test/picture.png'].flatMap(
  (target) => livePlaces.map((place) => place.replace('TARGET', target)),
);
const picture = 'https://example.test/picture.png';
/** Links in the label of another link, which begins in a code block or on the line before. */
const nested = [
  '```\n[![a](command:linesideProbe.canary?1)\n```\n[b](https://example.test/x)',
  '```\n[![a](command:linesideProbe.canary?1)\n```\n\nb](https://example.test/x)',
  '[a\n![b](command:linesideProbe.canary?1)](https://example.test/x)',
  `[a\n![b](${picture})](https://example.test/x)`,
];
const everything = [...Object.values(corpora).flat(), links].join('\n\n');
const title = '[Report](command:linesideProbe.canary) <a href="command:linesideProbe.canary">x</a> file:///etc/passwd';
const page = [
  '<!doctype html><base href="https://example.test/"><script src="https://example.test/x.js"></script>',
  '<a href="command:workbench.action.quit">a</a><a href="file:///etc/passwd">b</a><img src="https://example.test/x.png">',
].join('\n');
const style =
  '@import "command:workbench.action.quit"; a { background: url(command:workbench.action.quit) } b { background: url(file:///etc/passwd) }';
const manifest = JSON.stringify({
  $schema: 'https://example.test/schema.json',
  name: 'x',
  scripts: { test: 'touch /tmp/x' },
  dependencies: { a: 'file:///etc/passwd' },
});
/** The files that the agent writes. */
const files: Readonly<Record<string, string>> = {
  'README.md': links,
  'notes.prompt.md': links,
  'page.html': page,
  'page.hbs': page,
  'style.css': style,
  'style.scss': style,
  'style.less': style,
  'package.json': manifest,
  'tsconfig.json': '{ "extends": "../../etc/passwd", "references": [{ "path": "/etc" }] }',
  'book.ipynb': JSON.stringify({ cells: [{ cell_type: 'markdown', source: [links] }], nbformat: 4, nbformat_minor: 5 }),
  'code.ts': `// ${title}\n/** {@link command:workbench.action.quit} */\nconst a = 'file:///etc/passwd';`,
  'settings.yaml': `# yaml-language-server: $schema=https://example.test/x.json\na: file:///etc/passwd`,
  'page.xml': '<?xml-stylesheet href="https://example.test/x.xsl"?><a href="command:x">file:///etc/passwd</a>',
  'page.vue': page,
};
/** In documents of every language, VS Code turns `file:` URLs into links. */
const script = 'a = "file:///etc/passwd"';
const contents: Readonly<Record<string, readonly unknown[]>> = {
  msg_tests_00001: [{ type: 'text', text: 'Write everything down.' }],
  msg_tests_00002: [
    ...Object.entries(files).map(([path, content]) => ({
      ...{ type: 'tool_use', id: path, name: 'Write' },
      input: { file_path: path, content },
    })),
    { type: 'tool_use', id: 'run', name: 'Bash', input: { command: title } },
  ],
  msg_tests_00003: [...Object.keys(files), 'run'].map((id) => ({
    ...{ type: 'tool_result', toolUseId: id },
    content: [{ type: 'text', text: id === 'run' ? `${everything}\n`.repeat(2) : 'Done' }],
  })),
  msg_tests_00004: [
    {
      type: 'text',
      text: `The hostile answer\n\n\`\`\`html\n${page}\n\`\`\`\n\n\`\`\`python\n${script}\n\`\`\`\n\n${[...nested, everything].join('\n\n')}`,
    },
  ],
};

/** Replaces the contents of a seeded conversation and the titles of all sessions with hostile ones. */
const hostile = withObjects((fields) => {
  const isSession = typeof fields['title'] === 'string' && fields['status'] !== undefined;
  return isSession ? { ...fields, title } : withContent(fields, contents);
});

interface OpenDocument {
  readonly path: string;
  readonly query: string;
  readonly languageId: string;
}

interface Found {
  readonly uri: string;
  readonly languageId: string;
  readonly links: readonly string[];
  readonly hovers: readonly string[];
  readonly commands: readonly string[];
}

describe('hostile texts in documents', () => {
  const service = useService({}, hostile);
  const journey = useJourney({ builtInExtensions: 'all' });
  const sessionId = () => service.sessionIdByName.tests;
  const view = () => conversationOf(journey.workbench);
  /** The requests of the window for addresses in the texts. */
  const requested: string[] = [];

  const actions = async (...schemes: readonly string[]): Promise<readonly Found[]> =>
    (await journey.workbench.execute('linesideProbe.actions', schemes)) as readonly Found[];
  const documents = async (scheme: string): Promise<readonly OpenDocument[]> =>
    (await journey.workbench.execute('linesideProbe.documents', scheme)) as readonly OpenDocument[];
  const languages = async (scheme: string) => (await documents(scheme)).map(({ languageId }) => languageId);
  /**
   * What VS Code finds in the documents of a scheme, once at least `count` are open and `kept` matches their languages.
   */
  const opened = async (scheme: string, count: number, kept: RegExp): Promise<readonly Found[]> => {
    const isReady = (found: readonly string[]) => found.length >= count && found.every((name) => kept.test(name));
    await expect.poll(async () => isReady(await languages(scheme)), patiently).toBe(true);
    return actions(scheme);
  };
  /** Whether a target is a file in the workspace. Only Lineside's own links, which the host has checked, lead there. */
  const isOwnFile = (target: string) => target.startsWith(`${pathToFileURL(journey.folder).href}/`);
  const expectInert = (found: readonly Found[]) => {
    for (const { uri, links: targets, hovers, commands } of found) {
      expect(
        targets.filter((target) => !target.startsWith(uri) && !leadsOut(target) && !isOwnFile(target)),
        uri,
      ).toEqual([]);
      expect(
        hovers.filter((text) => /command:|!\[|<img|<video/.test(text)),
        uri,
      ).toEqual([]);
      // Our own command above a draft sends it.
      expect(
        commands.filter((command) => command !== 'lineside.sendComposed'),
        uri,
      ).toEqual([]);
    }
  };
  const followed = (target: string) => journey.workbench.execute('linesideProbe.followLinks', target);
  const visibleLines = (text: string) =>
    journey.workbench.page.locator('.part.editor .editor-group-container.active .view-line', { hasText: text });
  const canaryCount = () => journey.workbench.execute('linesideProbe.canaryCount');
  /** Follows the hostile links of the active editor, and expects that nothing happens. */
  const expectDeadLinks = async () => {
    const { page } = journey.workbench;
    const [before, tabs] = [await canaryCount(), await page.locator('.part.editor .tab').count()];
    for (const target of ['command:linesideProbe.canary', 'file:']) expect(await followed(target)).toBeGreaterThan(0);
    expect(await canaryCount()).toBe(before);
    expect(await page.locator('.part.editor .tab').count()).toBe(tabs);
  };
  /** Ctrl+clicks the commands of {@link nested}, and points at the picture until VS Code shows a hover. */
  const pointAtNested = async () => {
    const target = 'command:linesideProbe.canary?1';
    const lines = visibleLines(target);
    await expect.poll(() => lines.count(), patiently).toBe(3);
    // VS Code draws a link again while Ctrl is pressed, so the element under the pointer is never the one found before.
    for (const line of await lines.all())
      await click(line.locator('span > span', { hasText: target }), { modifiers: ['Control'], force: true });
    const tip = journey.workbench.page.locator('.monaco-hover:visible', { hasText: /follow link/i });
    const place = visibleLines(picture).first().locator('span > span', { hasText: picture });
    await hover(place, { effect: () => tip.isVisible() });
  };
  /**
   * Points at an element, and clicks the link label of the {@link title} in its hover. Resolves to the number of links
   * there.
   */
  const clickInHover = async (target: Locator, name: string): Promise<number> => {
    const { workbench } = journey;
    const tip = workbench.page.locator('.monaco-hover:visible', { hasText: 'Report' });
    const read = (node: Element) => {
      const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      while (texts.nextNode() && texts.currentNode.textContent?.includes('Report') !== true);
      const label = document.createRange();
      label.selectNodeContents(texts.currentNode);
      const [{ x, y }, { left, top }] = [label.getClientRects()[0] ?? new DOMRect(), node.getBoundingClientRect()];
      // Right of the opening bracket, because the bracket isn't part of a link.
      return { position: { x: x - left + 20, y: y - top + 6 }, count: node.querySelectorAll('a').length };
    };
    let count = 0;
    // The hover can close after it has been seen.
    await untilItSucceeds(async () => {
      await hover(target, { effect: () => tip.isVisible() });
      const found = await tip.evaluate(read, undefined, { timeout: 5_000 });
      await workbench.picture(name);
      await click(tip, { position: found.position, timeout: 5_000 });
      ({ count } = found);
    });
    await workbench.page.mouse.move(0, 0);
    await press(workbench.page, 'Escape', { effect: async () => (await tip.count()) === 0 });
    return count;
  };
  const closeEditors = () => journey.workbench.start('workbench.action.closeAllEditors');

  it('act in a document that is not protected', async () => {
    const { workbench } = journey;
    workbench.page.context().on('request', (request) => {
      if (/example\.test|evil\.test/.test(request.url())) requested.push(request.url());
    });
    await workbench.execute('linesideProbe.openText', [...nested, ...control].join('\n\n'), 'markdown');
    const live = async (start: string) =>
      (await actions('untitled')).flatMap((found) => found.links.filter((target) => target.startsWith(start))).length;
    await expect.poll(() => live('command:linesideProbe.canary'), patiently).toBeGreaterThan(3);
    await expect.poll(() => live('file:///'), patiently).toBeGreaterThan(3);
    // A click follows a link only once the editor marks it.
    const lines = visibleLines('command:linesideProbe.canary?1');
    const marked = lines.filter({ has: workbench.page.locator('.detected-link') });
    await expect.poll(() => marked.count(), patiently).toBeGreaterThan(1);
    await pointAtNested();
    await expect.poll(canaryCount, patiently).toBeGreaterThan(1);
    await expect.poll(() => requested.splice(0), patiently).toContain(picture);
    const hovers = (await actions('untitled')).flatMap((found) => found.hovers);
    expect(hovers.filter((text) => text.includes('![')).length).toBeGreaterThan(0);
    expect(await followed('command:linesideProbe.canary')).toBeGreaterThan(3);
    await expect.poll(canaryCount, patiently).toBeGreaterThan(3);
    await workbench.execute('linesideProbe.showHover', title);
    const before = await canaryCount();
    const line = visibleLines('```').first().locator('span > span').first();
    expect(await clickInHover(line, 'hostile hover')).toBeGreaterThan(0);
    await expect.poll(canaryCount, patiently).not.toBe(before);
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
  });

  it('do nothing in a conversation, a message, and an output', async () => {
    const { workbench } = journey;
    await connect(workbench, service);
    await addSessions(workbench, sessionId());
    await view().article('The hostile answer').last().waitFor();
    await workbench.execute('lineside.openConversationAsDocument', { sessionId: sessionId() });
    await chooseInRow(view(), view().article('The hostile answer').last(), 'Open as Document');
    const found = await opened('lineside', 2, /^markdown$/);
    for (const { links: targets } of found) expect(targets).toContain('mailto:sentinel@x.test');
    const count = await canaryCount();
    await pointAtNested();
    expect(await canaryCount()).toBe(count);
    expectInert(found);
    await expectDeadLinks();
    await workbench.picture('hostile message as a document');
    await closeEditors();
  });

  it('do nothing in the changes of files', async () => {
    const { workbench } = journey;
    await workbench.execute('lineside.showChanges', { sessionId: sessionId() });
    const names = Object.entries({
      'README.md.txt': 'lineside-markdown',
      'notes.prompt.md.txt': 'lineside-markdown',
      'page.html': 'lineside-html',
      'page.hbs': 'lineside-html',
      'style.css': 'lineside-css',
      'style.scss': 'lineside-scss',
      'style.less': 'lineside-less',
      'package.json': 'lineside-jsonc',
      'tsconfig.json': 'lineside-jsonc',
      'book.ipynb.txt': 'lineside-jsonc',
      'code.ts': 'typescript',
      'settings.yaml': 'lineside-yaml',
      'page.xml': 'lineside-xml',
      'page.vue': 'plaintext',
    });
    // Each file is open twice: before and after its change. A document gets its language only after it is opened. Until
    // then, it can be plain text.
    const expected = names.flatMap(([name, language]) => [`/${name} ${language}`, `/${name} ${language}`]);
    const shown = async () =>
      (await documents('lineside-change')).map(({ path, languageId }) => `${path} ${languageId}`);
    await expect.poll(async () => (await shown()).toSorted(), patiently).toEqual(expected.toSorted());
    const found = await actions('lineside-change');
    expect(found).toHaveLength(expected.length);
    expectInert(found);
    await workbench.picture('hostile changes');
    await closeEditors();
  });

  it('do nothing in the hovers of lines that the agent wrote, and of rows of the Sessions view', async () => {
    const { workbench } = journey;
    await writeFile(join(journey.folder, 'code.ts'), files['code.ts'] ?? '');
    await workbench.execute('linesideProbe.openFile', 'code.ts');
    await workbench.execute('lineside.toggleAgentMarks');
    const before = await canaryCount();
    const line = visibleLines('const a').locator('span > span', { hasText: 'const' }).first();
    expect(await clickInHover(line, 'hostile hover of a line')).toBe(0);
    await workbench.focusView('lineside.sessions');
    expect(await clickInHover(treeRow(workbench, 'Report'), 'hostile hover of a session')).toBe(0);
    expect(await canaryCount()).toBe(before);
    expect(await workbench.page.locator('.part.editor .tab').count()).toBe(1);
    await closeEditors();
  });

  it('do nothing in the question about a long message of a language model, whatever the encoding of files is', async () => {
    const { workbench } = journey;
    const { quickInput } = workbench;
    await workbench.setSetting('chat.tools.global.autoApprove', true);
    await workbench.setSetting('lineside.languageModelTools.allowSending', true);
    await workbench.setSetting('files.encoding', 'utf16le');
    // The tool accepts up to 100,000 characters.
    const text = [title, links.slice(0, 90_000), sentinel].join('\n\n');
    const input = { sessionId: sessionId(), text };
    const declined = workbench.execute('linesideProbe.invokeTool', 'lineside_send_message', input);
    const rejected = expect(declined).rejects.toThrow('Nothing was sent');
    await click(workbench.dialog.getByRole('button', { name: 'Enable' }));
    await quickInput.widget.getByPlaceholder('The message is open in the editor').waitFor();
    expect(await quickInput.widget.locator('a[data-href], b, img').count()).toBe(0);
    expect(await quickInput.widget.innerText()).toContain('language model to "[Report]');
    expectInert(await actions('lineside-question'));
    await expectDeadLinks();
    await workbench.picture('hostile message of a language model');
    await quickInput.pick("Don't Send");
    await rejected;
    expect(await workbench.execute('linesideProbe.activeText')).toMatchObject({
      text: expect.stringContaining(sentinel) as string,
    });
    expect(service.posts()).toEqual([]);
    await workbench.setSetting('files.encoding', 'utf8');
    await closeEditors();
  });

  it('do nothing in an output, a comparison, code in a new file, and a draft in an editor', async () => {
    const { workbench } = journey;
    const answer = view().article('The hostile answer').last();
    const { log } = view();
    await click(log.getByRole('button', { name: 'Edited 14 files, ran 1 command' }));
    const step = log.getByRole('button', { name: /^Ran \[Report\]/ });
    await expandStep(step);
    await openOutput(view());
    await expect
      .poll(
        async () => (await documents('lineside')).filter(({ query }) => query.includes('/output/')).length,
        patiently,
      )
      .toBe(1);
    await workbench.execute('lineside.quoteMessage', { sessionId: sessionId(), messageId: 'msg_tests_00004' });
    await expect.poll(() => view().composer.inputValue(), patiently).toContain('command:linesideProbe.canary');
    await workbench.execute('lineside.composeInEditor', { sessionId: sessionId() });
    await expect.poll(() => languages('untitled'), patiently).toContain('lineside-markdown');
    await hover(answer.locator('pre').first());
    await click(answer.getByRole('button', { name: 'Open in New File' }).first());
    await expect.poll(() => languages('untitled'), patiently).toContain('lineside-html');
    await hover(answer.locator('pre').nth(1));
    await click(answer.getByRole('button', { name: 'Open in New File' }).nth(1));
    await expect.poll(() => languages('untitled'), patiently).toContain('python');
    expect(await followed('file:')).toBeGreaterThan(0);
    await click(answer.getByRole('button', { name: 'Compare with Active Editor' }).first());
    await expect.poll(async () => (await documents('lineside-compare')).length, patiently).toBeGreaterThan(0);
    const found = await actions('lineside', 'lineside-compare', 'untitled');
    expect(found.length).toBeGreaterThan(3);
    expectInert(found);
    await workbench.picture('hostile comparison');
    await closeEditors();
  });

  it('cause no request', () => {
    expect(requested).toEqual([]);
  });
});
