/** What VS Code's preview of every kind of document loads and opens (R47, R48). */
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { diagramDocument, isSelfContained } from '../../../src/state/markdown/diagram.ts';
import { corpora } from '../../fakes/corpora.ts';
import { hostileDiagrams } from '../../fakes/hostileDiagrams.ts';
import { hostileLinks } from '../../fakes/hostileLinks.ts';
import { leadsOut } from '../../fakes/markdownLinks.ts';
import { ordinaryDiagrams } from '../../fakes/ordinaryDiagrams.ts';
import { click, hover } from '../../../tools/editor/drive/act.ts';
import { addSessions, chooseInRow, connect, conversationOf } from '../journey/sessionSteps.ts';
import { useJourney } from '../journey/journey.ts';
import { useService, withContents } from '../journey/recordedService.ts';
import { isInEditor, patiently, until, untilIs } from '../journey/until.ts';

/**
 * A server that counts the connections to it. It has no certificate, so a browser that connects gets nothing from it.
 */
class Trap {
  readonly #server: Server = createServer((socket) => {
    this.connections++;
    socket.destroy();
  });
  connections = 0;

  get address(): string {
    const { port } = this.#server.address() as AddressInfo;
    return `https://127.0.0.1:${port}`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  close(): void {
    this.#server.close();
  }
}

/** Markdown outside diagrams that could make a preview load something from `address`. */
const media = (address: string): readonly string[] => [
  `---\nbanner: <img src="${address}/front.png">\n---`,
  `![a](${address}/image.png) ![a][b] [![a](${address}/linked.png)](x)\n\n[b]: ${address}/reference.png`,
  `<img src="${address}/tag.png"> <img srcset="${address}/set.png 1x"> <input type="image" src="${address}/input.png">`,
  `<picture><source srcset="${address}/source.png"><img src="${address}/inner.png"></picture>`,
  `<video src="${address}/video.mp4" poster="${address}/poster.png" autoplay></video>`,
  `<audio src="${address}/audio.mp3" autoplay></audio>`,
  `<div style="background: url(${address}/background.png)">a</div>`,
  `<style>@import "${address}/import.css"; body { background: url(${address}/style.png) }</style>`,
  `<link rel="stylesheet" href="${address}/link.css"><link rel="preconnect" href="${address}">`,
  `<svg width="9" height="9"><image href="${address}/svg.png" width="9" height="9"/></svg>`,
  `<iframe src="${address}/frame"></iframe><object data="${address}/object"></object><embed src="${address}/embed">`,
  `$\\includegraphics{${address}/formula.png}$ $\\htmlStyle{background:url(${address}/html.png)}{x}$`,
  `$$\n\\includegraphics{${address}/block.png}\n$$`,
];
/** HTML that leads a preview away from its document. After that, the test can't see what else the document loads. */
const detours = (address: string): readonly string[] => [
  `<base href="${address}/"><img src="base.png">`,
  `<meta http-equiv="refresh" content="0; url=${address}/refresh">`,
];
/** Two formulas among variables and prices. */
const formulas = [
  'The energy is $E = mc^2$, and it costs $5 or $6.',
  '$$\n\\sum_{i=1}^n i\n$$',
  'Run cp $SRC/a $DST/a, then kill -9 $$ || echo $$.',
];
const lastPage = 'https://example.test/last';
/** A command of the probe, which no link may run. */
const canary = 'command:linesideProbe.canary';
const fenced = (diagram: string): string => diagramDocument(diagram).trimEnd();
const drawn = Object.values(ordinaryDiagrams).flat().filter(isSelfContained);

/** Parts of labels, some of which Mermaid could take for something else. */
const sign = fc.constantFrom(
  ...['a', 'img src=x', 'script', 'href=x', 'style', 'br', 'é', ' ', '<', '>', '<<', '>>', '<br>', '~', '/', ':', '::'],
  ...['&', '#', ';', '"', "'", '\\n', '(', ')', '[', ']', '{', '}', '|', '=', '-', '.', '@', '$', '%', '!', '*', '_'],
);
const label = fc.array(sign, { maxLength: 8 }).map((signs) => signs.join(''));
const generated = fc
  .oneof(
    label.map((text) => `flowchart TD\n  A["${text}"] --> B`),
    label.map((text) => `graph LR\n  A -->|${text}| B[${text}]`),
    label.map((text) => `sequenceDiagram\n  A->>B: ${text}\n  Note over A: ${text}`),
    label.map((text) => `classDiagram\n  class A {\n    +${text}\n  }\n  A --> B : ${text}`),
    label.map((text) => `stateDiagram-v2\n  [*] --> A : ${text}`),
    label.map((text) => `mindmap\n  root\n    ${text}`),
    label.map((text) => `timeline\n  2001 : ${text}`),
  )
  .filter(isSelfContained);

describe('previews', () => {
  const trap = new Trap();
  beforeAll(() => trap.listen());
  afterAll(() => trap.close());

  const hostileText = (): string =>
    [
      'The hostile answer',
      ...media(trap.address),
      ...detours(trap.address),
      ...hostileDiagrams(`${trap.address}/diagram.png`).map(fenced),
      ...hostileLinks.map((link) => link.replaceAll('https://example.test', trap.address)),
      `[run](${canary}) <a href="${canary}">run</a>`,
      ...Object.values(corpora).flat(),
      `Go to [the last line](${lastPage}).`,
    ].join('\n\n');
  const answer = {
    msg_tests_00001: [{ type: 'text', text: formulas.join('\n\n') }],
    // The trap has no address before the tests begin.
    get msg_tests_00004() {
      return [{ type: 'text', text: hostileText() }];
    },
  };
  const service = useService({}, withContents(answer));
  const journey = useJourney({ builtInExtensions: 'all' });
  const sessionId = () => service.sessionIdByName.tests;
  const view = () => conversationOf(journey.workbench);

  /** The URLs that the window requested, except data and blob URLs, and those of VS Code and the Open VSX registry. */
  const requested: string[] = [];
  const body = () =>
    journey.workbench
      .webview({ extensionId: 'vscode.markdown-language-features', place: 'editor' })
      .locator('.markdown-body');
  /** Opens the preview of the active editor. A new editor becomes the active one a moment after it is visible. */
  const openPreview = async () => {
    const { workbench } = journey;
    await untilIs(() => isInEditor(workbench), true);
    await until(
      async () => (await body().count()) > 0,
      async () => {
        // In a preview that is still empty, the same command would show the source again.
        if (await isInEditor(workbench)) await workbench.execute('markdown.showPreview');
      },
    );
  };
  /**
   * Writes a new file and opens its preview. Each file needs its own name, because VS Code keeps the contents of a
   * preview by name.
   */
  const preview = async (name: string, text: string) => {
    writeFileSync(join(journey.folder, name), text);
    await journey.workbench.openFile(name);
    await openPreview();
  };
  const tabs = () => journey.workbench.page.locator('.part.editor .tab');
  const closeEditors = async () => {
    await journey.workbench.execute('workbench.action.closeAllEditors');
    await expect.poll(() => body().count(), patiently).toBe(0);
  };
  /** Waits until each diagram is drawn or has an error. Resolves to the errors, in order; undefined for a drawing. */
  const diagramErrors = async (count: number): Promise<readonly (string | undefined)[]> => {
    // A preview draws its diagrams again after each change of its document, so count all at the same time.
    const state = () =>
      body().evaluate((node) =>
        Array.from(node.querySelectorAll('.mermaid-error, .mermaid svg[id^="dmermaid"]'), (one) =>
          one.matches('.mermaid-error') ? one.textContent : undefined,
        ),
      );
    let last = await state();
    const isFinished = async () => {
      last = await state();
      return last.length === count;
    };
    await expect.poll(isFinished, patiently).toBe(true);
    return last;
  };
  const expectNothingLoaded = () => {
    expect(requested).toEqual([]);
    expect(trap.connections).toBe(0);
  };

  /** Expects that the conversation's preview draws the {@link formulas}, and shows variables and prices as text. */
  const expectFormulas = async () => {
    const inText = body().locator('p', { hasText: 'The energy is' }).locator('.katex');
    await expect.poll(() => inText.count(), patiently).toBe(1);
    expect(await body().locator('.katex-display', { hasText: '\\sum_{i=1}^n i' }).count()).toBe(1);
    const paragraphs = await body().locator('p').allTextContents();
    expect(paragraphs.some((text) => text.endsWith(', and it costs $5 or $6.'))).toBe(true);
    expect(paragraphs).toContain(formulas[2]);
  };

  const answerInView = () => view().article('The hostile answer').last();

  it('of a conversation load nothing, and draw its formulas', async () => {
    const { workbench } = journey;
    const own = new URL(workbench.page.url()).origin;
    workbench.page.context().on('request', (request) => {
      const { protocol, origin, host } = new URL(request.url());
      const isOwn =
        origin === own ||
        /(?:^open-vsx\.org|\.vscode-resource\.vscode-cdn\.net)$/.test(host) ||
        /^(?:data|blob):$/.test(protocol);
      if (!isOwn) requested.push(request.url());
    });
    await connect(workbench, service);
    await addSessions(workbench, sessionId());
    await answerInView().waitFor();
    await workbench.execute('lineside.openConversationAsDocument', { sessionId: sessionId() });
    await openPreview();
    await body().getByRole('link', { name: 'the last line' }).waitFor();
    expect(
      await body()
        .locator('.mermaid, img, input, video, audio, iframe, object, embed, style, link, base, meta, svg image')
        .count(),
    ).toBe(0);
    await expectFormulas();
    await closeEditors();
    expectNothingLoaded();
  });

  it('of a message load nothing', async () => {
    await chooseInRow(view(), answerInView(), 'Open as Document');
    await tabs().first().waitFor();
    await openPreview();
    await body().getByRole('link', { name: 'the last line' }).waitFor();
    await closeEditors();
    expectNothingLoaded();
  });

  it('of an export load nothing', async () => {
    const { workbench, folder } = journey;
    const uri = pathToFileURL(join(folder, 'export.md')).href;
    await workbench.execute('lineside.exportConversation', { sessionId: sessionId(), uri });
    await workbench.openFile('export.md');
    await openPreview();
    await body().getByRole('link', { name: 'the last line' }).waitFor();
    expectNothingLoaded();
    await workbench.picture('hostile preview');
  });

  it('open only web pages and mail addresses', async () => {
    const { page, execute } = journey.workbench;
    const targets = await body()
      .locator('a[href]')
      .evaluateAll((links) => [
        ...new Set(links.flatMap((link) => [link.getAttribute('href') ?? '', link.getAttribute('data-href') ?? ''])),
      ]);
    expect(targets.filter((target) => target !== '' && !leadsOut(target))).toEqual([]);
    const before = [await tabs().count(), await execute('linesideProbe.canaryCount')];
    await body()
      .locator('*')
      .evaluateAll((nodes) => {
        const event = { view: window, bubbles: true, cancelable: true, composed: true };
        const others = nodes.filter((node) => !node.closest('a[href^=http], a[href^=mailto]'));
        for (const node of others) node.dispatchEvent(new MouseEvent('click', event));
      });
    // VS Code handles the clicks in order, so no other page can open after the page of this link.
    const opening = page.context().waitForEvent('page');
    await click(body().getByRole('link', { name: 'the last line' }));
    const opened = await opening;
    await expect.poll(() => requested, patiently).toEqual([lastPage]);
    await opened.close();
    requested.length = 0;
    expect([await tabs().count(), await execute('linesideProbe.canaryCount')]).toEqual(before);
    expect(page.context().pages()).toEqual([page]);
    await closeEditors();
    expectNothingLoaded();
  });

  it('of the accessibility help load nothing', async () => {
    const { workbench } = journey;
    await workbench.start('lineside.openAccessibilityHelp');
    await tabs().filter({ hasText: 'Accessibility Help' }).waitFor();
    await openPreview();
    await body().getByText('Tab goes from message to message').waitFor();
    await closeEditors();
    expectNothingLoaded();
  });

  it('of diagrams draw what is known, and show other diagrams as source', async () => {
    const { workbench } = journey;
    const styled = 'flowchart LR\n  A[First] --> B[Second]:::loud\n  classDef loud fill:#f00';
    const icon = `sequenceDiagram\n  A->>B: a\n  properties A: {"icon":"https:/${trap.address.slice('https://'.length)}/icon.png"}`;
    const { login } = service.sessionIdByName;
    await service.post(login, [styled, icon].map(fenced).join('\n\n'));
    await addSessions(workbench, login);
    const open = async (text: string) => {
      const block = view().log.locator('.code-block', { hasText: text }).last();
      await hover(block);
      await click(block.getByRole('button', { name: 'Open Preview' }));
    };
    await open('classDef loud');
    expect(await diagramErrors(1)).toEqual([undefined]);
    await closeEditors();
    await open('icon.png');
    await workbench.notified('The diagram might load content or contain links');
    await workbench.page.locator('.part.editor .view-line', { hasText: 'properties' }).first().waitFor();
    await workbench.execute('workbench.action.revertAndCloseActiveEditor');
    // An address that Lineside didn't create.
    await workbench.openLinks(`lineside-diagram:/Diagram.md?${encodeURIComponent(icon)}`);
    await tabs().filter({ hasText: 'Diagram' }).waitFor();
    await openPreview();
    await body().waitFor({ state: 'attached' });
    expect(await body().innerText()).toBe('');
    expectNothingLoaded();
  });

  it('draw ordinary and generated diagrams without a request', async () => {
    const others = fc.sample(generated, { numRuns: 60, seed: 1 });
    const all = [...drawn, ...others];
    await preview('diagrams.md', all.map(fenced).join('\n\n'));
    const errors = await diagramErrors(all.length);
    const isError = (error: string | undefined) => error !== undefined;
    expect(errors.slice(0, drawn.length).filter(isError)).toEqual([]);
    // Mermaid rejects some of the others.
    expect(errors.slice(drawn.length).filter(isError).length).toBeLessThan(others.length / 2);
    await journey.workbench.picture('ordinary and generated diagrams');
    expectNothingLoaded();
    await closeEditors();
  });

  it('load images and open files if a document is not protected, so that these tests can fail', async () => {
    const diagram = `flowchart TD\n  A@{ img: "${trap.address}/node.png", label: "A" }`;
    await preview('control.md', [...media(trap.address), fenced(diagram), '[file](src/basket.ts)'].join('\n\n'));
    const paths = () =>
      new Set(requested.filter((url) => url.startsWith(trap.address)).map((url) => new URL(url).pathname));
    await expect.poll(() => trap.connections, patiently).toBeGreaterThan(0);
    for (const path of ['/image.png', '/tag.png', '/node.png']) {
      await expect.poll(paths, patiently).toContain(path);
    }
    await click(body().getByText('file', { exact: true }));
    await tabs().filter({ hasText: 'basket.ts' }).waitFor();
    await closeEditors();
  });
});
