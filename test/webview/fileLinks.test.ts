import { expect, it } from 'vitest';
import { click, hover } from '../../tools/editor/drive/act.ts';
import type { PageBlock, PageRow } from '../../src/shared/protocol/rowTypes.ts';
import { meantPaths, readWrittenPlace } from '../../src/shared/text/filePaths.ts';
import { exampleFiles, readLinkForms } from '../unit/shared/text/linkForms.ts';
import { conversation, markdownRow, row, setup, stepOf, stepsRow } from './rig/samples.ts';
import { usePage, usePages } from './rig/usePage.ts';

const open = usePage([setup]);
const pages = usePages();

/** The examples of docs/content.md with the files that they open, except for those that need Windows. */
const examples = readLinkForms('links')
  .filter(({ form }) => !form.includes('Windows'))
  .flatMap((row) => row.examples.map((text) => ({ text, file: /^`([^`]+)`/.exec(row.opens)?.[1] ?? '' })));
const isMarkdown = (text: string) => /`|\]\(|\*\*/.test(text);
const plainExamples = examples.filter(({ text }) => !isMarkdown(text));

/** The file that the host finds for a text; undefined if it finds none. */
function fileOf(text: string): string | undefined {
  const paths = meantPaths(readWrittenPlace(text)).map((path) => path.replaceAll('\\', '/'));
  const relative = paths.map((path) => path.replace(/^(?:\/work\/shop\/|\.\/|shop\/)/, ''));
  return relative.find((path) => exampleFiles.includes(path));
}

let answered = 0;
/** Answers the questions that the page has asked since the last call. */
async function answer(): Promise<void> {
  const asked = (await open.posted()).flatMap((post) => (post.type === 'findPaths' ? [post.paths] : []));
  for (const paths of asked.slice(answered)) {
    const found = paths.filter((path) => fileOf(path) !== undefined).map((path) => ({ path }));
    await open.answer('findPaths', found, answered);
    answered += 1;
  }
}

/** Draws a row, and waits until each element that a selector finds has links to the file of its example only. */
async function expectLinks(shown: PageRow, selector: string, given: typeof examples): Promise<void> {
  answered = 0;
  await open.tell(conversation([shown]));
  const fold = open.page.locator('.fold > button');
  if ((await fold.count()) > 0) await click(fold);
  const linked = async () => {
    await answer();
    const paths = await open.page
      .locator(selector)
      .evaluateAll((all) =>
        all.map((one) =>
          [...one.querySelectorAll<HTMLElement>('a.path-link')].map((link) => link.dataset['path'] ?? ''),
        ),
      );
    return paths.map((one) => [...new Set(one.map(fileOf))]);
  };
  await expect.poll(linked).toEqual(given.map(({ file }) => [file]));
}

const paragraphs = examples.map(({ text }) => text).join('\n\n<!-- -->\n\n');
const markdown: PageBlock = { type: 'markdown', text: paragraphs };
const question = { header: '', quote: '', isMultiple: false, options: [], furtherCount: 0 };
const asked: PageBlock = {
  ...{ type: 'asked', state: 'open', label: 'The agent asks', answer: '', isApproval: true },
  questions: [{ ...question, text: paragraphs }],
};
const items = plainExamples.map(({ text }) => ({ text, state: 'open', spoken: 'open' }) as const);
const reasons: PageBlock = { type: 'fold', kind: 'thinking', title: 'Thinking', isError: false, blocks: [markdown] };

it.each([
  ['answers', markdownRow('m', paragraphs)],
  ['prompts', markdownRow('m', paragraphs, { role: 'user' })],
  ['questions', row('m', [asked])],
  ['reasoning of the agent', row('m', [reasons])],
] as const)('each form of a link to a file is a link in %s', async (_, shown) => {
  await expectLinks(shown, '.row-body .markdown > p', examples);
});

it.each([
  ['plans', row('m', [{ type: 'checklist', items }]), '.checklist > li'],
  [
    'output',
    row(
      'm',
      plainExamples.map(({ text }): PageBlock => ({ type: 'code', text })),
    ),
    '.row-body pre',
  ],
  [
    'failures of steps',
    stepsRow(
      'm',
      plainExamples.map(({ text }, index) => stepOf('failed', { index, failure: text })),
    ),
    '.step-failure',
  ],
] as const)('each form that is not Markdown is a link in %s', async (_, shown, selector) => {
  await expectLinks(shown, selector, plainExamples);
});

it('no form is a link in a code block with a language, a comment, or a formula', async () => {
  const blocks = plainExamples.map(({ text }): PageBlock => ({ type: 'code', text, language: 'ts' }));
  await open.tell(
    conversation([row('m', [...blocks, { type: 'markdown', text: '<!-- src/a.ts -->\n\n$\\frac{a/b.ts}{2}$' }])]),
  );
  await open.page.locator('.row-body .comment').waitFor();
  expect(await open.page.locator('[data-path]').count()).toBe(0);
  expect((await open.posted()).filter(({ type }) => type === 'findPaths')).toEqual([]);
});

it('the lines of steps end at the same place, whether their files exist or not', async () => {
  const existing = `${'folder/'.repeat(40)}a.ts`;
  const objects = [existing, `${'folder/'.repeat(40)}b.ts`];
  const stepWith = (object: string, index: number) =>
    stepOf('done', { index, kind: 'write', label: 'Edited {0}', object, changed: '+1 −0' });
  await open.tell(conversation([stepsRow('m', objects.map(stepWith))]));
  const ends = () =>
    open.page.locator('.step-changed').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().right));
  await open.page.locator('.step-changed').nth(1).waitFor();
  const before = await ends();
  await expect.poll(async () => (await open.posted()).some(({ type }) => type === 'findPaths')).toBe(true);
  await open.answer('findPaths', [{ path: existing }], 0);
  await open.page.locator('.step > .path-link').waitFor({ state: 'attached' });
  expect(await ends()).toEqual(before);
  expect(new Set(before).size).toBe(1);
});

it('the answers for one session are not those for another', async () => {
  const asked = async () =>
    (await open.posted()).flatMap((post) =>
      post.type === 'findPaths' ? [`${post.sessionId} ${post.paths.join()}`] : [],
    );
  const linked = () => open.page.locator('.row-body a.path-link').allInnerTexts();
  const shown = [markdownRow('m', 'src/a.ts and src/b.ts')];
  await open.tell(conversation(shown));
  await open.answer('findPaths', [{ path: 'src/a.ts' }], 0);
  await expect.poll(linked).toEqual(['src/a.ts']);
  await open.tell(conversation(shown, { sessionId: 'ses_02' }));
  expect(await linked()).toEqual([]);
  await expect.poll(asked).toEqual(['ses_01 src/a.ts,src/b.ts', 'ses_02 src/a.ts,src/b.ts']);
  // The answer for the second session arrives while the third one is shown.
  await open.tell(conversation(shown, { sessionId: 'ses_03' }));
  await open.answer('findPaths', [{ path: 'src/b.ts' }], 1);
  expect(await linked()).toEqual([]);
  await expect.poll(async () => (await asked()).at(-1)).toBe('ses_03 src/a.ts,src/b.ts');
});

it('the last links of a text are made, also if a path between them is found before it is their turn', async () => {
  const page = await pages.open({
    prepare: () => {
      // Time doesn't pass, and the page is idle only when the test says so.
      performance.now = () => 0;
      window.requestIdleCallback = (run) => {
        window.addEventListener('idle', () => run({ didTimeout: false, timeRemaining: () => 0 }), { once: true });
        return 1;
      };
    },
  });
  const existing = Array.from({ length: 100 }, (_, index) => `a/${index}.ts`);
  // A request contains at most 100 paths, so the last path is in the second one.
  const long = [...existing.slice(0, 30), 'a/late.ts', ...existing.slice(30, 32)].join(' ');
  await page.tell(setup, conversation([markdownRow('m', existing.join(' ')), markdownRow('n', long)]));
  await page.waitForPost('findPaths', 1);
  const linked = page.page.locator('article[data-key="n"] a.path-link');
  const answer = (paths: readonly string[], index: number) =>
    page.answer(
      'findPaths',
      paths.map((path) => ({ path })),
      index,
    );
  await answer(existing, 0);
  await expect.poll(() => linked.count()).toBe(30);
  await answer(['a/late.ts'], 1);
  await expect.poll(() => linked.count()).toBe(33);
  await page.page.evaluate(() => window.dispatchEvent(new Event('idle')));
  expect((await linked.allInnerTexts()).join(' ')).toBe(long);
});

it('paths become links when their files appear, also after many texts with missing paths were drawn', async () => {
  const links = open.page.locator('.row-body a.path-link');
  const asked = async () => (await open.posted()).filter(({ type }) => type === 'findPaths').length;
  const replace = (text: string) =>
    open.tell({ type: 'patch', patches: [{ op: 'replace', row: markdownRow('m', text), estimatedLines: 1 }] });
  const missing = '`src/lost.ts` '.repeat(500);
  await open.tell(conversation([markdownRow('m', missing), markdownRow('k', '`src/kept.ts`')]));
  await expect.poll(asked).toBe(1);
  await open.answer('findPaths', [], 0);
  for (const name of ['First', 'Second', 'Third', 'Fourth', 'Fifth']) {
    await replace(`${name} ${missing}`);
    await open.page.getByText(name).waitFor();
    await expect.poll(() => open.page.locator('.row-body code').count()).toBe(501);
  }
  await replace('`src/new.ts`');
  await expect.poll(asked).toBe(2);
  await open.answer('findPaths', [], 1);
  await open.tell({ type: 'filesChanged' });
  await expect.poll(asked).toBe(3);
  await open.answer('findPaths', [{ path: 'src/new.ts' }, { path: 'src/kept.ts' }], 2);
  await expect.poll(() => links.allInnerTexts()).toEqual(['src/new.ts', 'src/kept.ts']);
  // A link whose file still exists isn't replaced, because that would take the focus away.
  await links.first().focus();
  await open.tell({ type: 'filesChanged' });
  await expect.poll(asked).toBe(4);
  await open.answer('findPaths', [{ path: 'src/new.ts' }], 3);
  await expect.poll(() => links.allInnerTexts()).toEqual(['src/new.ts']);
  expect(await links.evaluate((link) => link === document.activeElement)).toBe(true);
});

it.each([
  { isTouch: false, opacity: '0' },
  { isTouch: true, opacity: '1' },
])('the link of a step is hidden only until the pointer is over it: %o', async ({ isTouch, opacity }) => {
  const page = await pages.open({ isTouch });
  const line = stepOf('done', { kind: 'write', label: 'Edited {0}', object: 'src/a.ts' });
  await page.tell(setup, conversation([stepsRow('s', [line])]));
  await page.answer('findPaths', [{ path: 'src/a.ts' }]);
  const link = page.page.locator('.step > .path-link');
  const shown = () => link.evaluate((node) => getComputedStyle(node).opacity);
  expect(await shown()).toBe(opacity);
  if (isTouch) return;
  await hover(page.page.locator('.step'));
  expect(await shown()).toBe('1');
});
