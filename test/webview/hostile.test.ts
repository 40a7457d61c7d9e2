import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../src/shared/protocol/hostMessages.ts';
import type { PageAnswers } from '../../src/shared/protocol/pageMessages.ts';
import type { PageBlock, PageDelivery, PageRow } from '../../src/shared/protocol/rowTypes.ts';
import { corpora } from '../fakes/corpora.ts';
import type { OpenPage } from './rig/pageRig.ts';
import { conversation, header, row, setup, startMs, stepOf, stepsRow, shownSession } from './rig/samples.ts';
import { usePages } from './rig/usePage.ts';

const elements =
  'a article bdi blockquote br button code dd details div dl dt em h1 h2 h3 h4 h5 h6 header hr img input kbd label li main ol p pre progress s span strong sub summary sup svg path table tbody td th thead time tr u ul';
/** Elements that formulas may contain. Some payloads are formulas. */
const formulaElements =
  'math menclose mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow mspace msqrt mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none';
const formulaAttributes =
  'accent columnalign depth display displaystyle fence form largeop linethickness lspace mathbackground mathcolor mathvariant maxsize minsize movablelimits notation rspace scriptlevel separator stretchy symmetric voffset';
const attributes =
  'alt aria-busy aria-description aria-expanded aria-haspopup aria-hidden aria-keyshortcuts aria-label aria-posinset aria-pressed aria-setsize checked class clip-rule d data-code data-footnote data-key data-path data-kind data-phase data-role data-state data-vscode-context dir disabled fill fill-rule focusable height hidden href max role src start style tabindex title type value viewBox width xmlns';

declare global {
  interface Window {
    findForeign: () => string[];
  }
}

const pages = usePages({ mayFail: true });

/** A row with the payload in every field of a message that the service can set. */
function rowOf(payload: string, key: string): PageRow {
  const fold = { type: 'fold', kind: 'toolUse', title: payload, detail: payload, isError: true } as const;
  const blocks: PageBlock[] = [
    { type: 'markdown', text: payload },
    { type: 'code', text: payload, language: 'html' },
    { type: 'code', text: payload, language: payload },
    { type: 'file', name: payload, detail: payload },
    { type: 'note', text: payload, href: payload },
    { type: 'checklist', items: [{ text: payload, state: 'current', spoken: payload }] },
    { type: 'image', mediaType: payload, base64: payload },
    { ...fold, kind: 'context', isError: false, blocks: [{ type: 'markdown', text: payload }] },
    { ...fold, result: { text: payload, isError: false }, blocks: [{ type: 'markdown', text: `> - ${payload}` }] },
  ];
  const delivery: PageDelivery = {
    entryId: payload,
    state: 'unknown',
    label: payload,
    detail: payload,
    progress: 0.5,
    actions: ['sendAgain', 'discard'],
  };
  const badges = [{ label: payload, hint: payload }];
  const branch = { label: payload, previousId: payload, nextId: payload };
  const described = { label: payload, hint: payload };
  const place = { startsDay: true, newSince: startMs, took: described, changes: described, branch };
  return row(key, blocks, {
    roleLabel: payload,
    author: payload,
    badges,
    updatedAt: startMs,
    delivery,
    place,
    cut: payload,
  });
}

/** What the agent asks, with the payload in each text. */
function askedOf(payload: string, state: 'open' | 'answered'): PageBlock {
  const option = { label: payload, detail: payload };
  const question = {
    ...{ header: payload, text: payload, quote: payload, isMultiple: true, furtherCount: 1, note: payload },
    options: [option, { ...option, failure: payload }],
  };
  return {
    ...{ type: 'asked', state, label: payload, answer: payload, isApproval: false, note: payload },
    questions: [question, question],
  };
}

/** A row of steps with the payload in each text. */
function stepsOf(payload: string): PageRow {
  const text = { label: `{0} ${payload}`, object: payload, spoken: payload };
  const facts = { changed: payload, status: payload, took: payload, failure: payload };
  const summary = { label: payload, hint: payload, isOpen: true, hasErrors: true };
  return stepsRow('steps', [stepOf('failed', { messageId: payload, ...text, ...facts })], summary);
}

/** A conversation with the payload in the strings outside the rows, except for the plan, which `exposeInSteps` shows. */
function conversationOf(payload: string, rows: readonly PageRow[]): HostMessage {
  const described = { label: payload, hint: payload };
  const failure = { text: payload, actions: [{ label: payload, action: 'retry' }] } as const;
  const kinds = ['file', 'selection', 'image'] as const;
  const attachments = kinds.map((kind) => ({
    attachmentId: `${kind} ${payload}`,
    name: payload,
    detail: payload,
    kind,
  }));
  return conversation(rows, {
    // Each payload gets its own session; otherwise, rejected messages would accumulate in one composer.
    sessionId: payload,
    header: {
      ...header,
      ...{ title: payload, sessionId: payload, statusLabel: payload, model: payload, failure },
      ...{ marks: [described], incomplete: described },
      turn: { messageId: payload, changes: described, errors: described, time: described },
      filter: { detailLevel: 'answers', summary: payload },
    },
    older: { state: 'failed', label: payload },
    composer: {
      ...{ attachments, canSend: true, hint: payload, failure: payload, computer: payload },
      undecided: { entryId: payload, label: payload, actions: ['sendAgain', 'discard'] },
    },
    comments: {
      items: [{ commentId: payload, messageId: payload, key: 'p', quote: payload, offset: 0, text: payload }],
    },
    draft: { text: payload, selectionStart: 0, selectionEnd: 0 },
    bookmarks: rows.map(({ key }) => ({ messageId: payload, key, note: payload })),
  });
}

function screenOf(payload: string): HostMessage {
  const buttons = [
    { label: payload, action: 'connect' },
    { label: payload, action: 'tryDemo' },
  ] as const;
  return { type: 'screen', screen: { title: payload, text: payload, buttons } };
}

/** The elements outside hostile content, with their attribute names. They must be the same for every payload. */
async function shell(open: OpenPage): Promise<string> {
  // The page's additional scripts are in the document while they load.
  await open.page.waitForFunction(
    () => !document.querySelector('script:is([src$="/highlight.js"], [src$="/math.js"])'),
  );
  return open.page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(
        (node) =>
          !node.closest(
            '.canvas, .rail, .page-title, .page-status, .page-filter, .failure, .find, .plan, .question-strip, .turn-bar, .delivery-strip, .comments, .suggestions, .attachments, [role=status]',
          ),
      )
      .map((node) => `${node.tagName} ${node.getAttributeNames().sort().join()}`)
      .join('\n'),
  );
}

/**
 * Runs in the page: defines `findForeign`, which returns elements and attributes that aren't on the lists, anywhere on
 * the page. Each call checks only what is new or has changed since the previous call.
 */
function watchForForeign(known: Record<'elements' | 'attributes' | 'formulaElements' | 'formulaAttributes', string>) {
  const inFormula = {
    elements: new Set(known.formulaElements.split(' ')),
    attributes: new Set(known.formulaAttributes.split(' ')),
  };
  const knownElements = new Set([...known.elements.split(' '), 'section', 'textarea', 'time']);
  const knownAttributes = new Set(known.attributes.split(' '));
  const shellAttributes = new Set(
    'aria-activedescendant aria-autocomplete aria-checked aria-controls aria-describedby aria-invalid aria-live aria-selected autocomplete id maxlength placeholder popover rows spellcheck data-detail-level data-session-id data-status'.split(
      ' ',
    ),
  );
  const foreignIn = (node: Element): string[] => {
    const found: string[] = [];
    const isFormula = node.closest('math') !== null;
    const isShell = !node.closest('.canvas, .failure, .attachments, .screen');
    // The matching characters of a suggestion.
    const isMatch = node.matches('.suggestion-label > b');
    if (!knownElements.has(node.localName) && !inFormula.elements.has(node.localName) && !isMatch)
      found.push(`<${node.localName}>`);
    for (const { name, value } of node.attributes) {
      const isOfFormula = isFormula && inFormula.attributes.has(name);
      if (!knownAttributes.has(name) && !isOfFormula && !(isShell && shellAttributes.has(name))) {
        found.push(`${node.localName} ${name}=${value}`);
      }
      if (name === 'style') {
        const isTop = node.matches('.canvas, .canvas > *, .conversation, .popup-menu');
        const isLine = isFormula && /^(?:(?:color|(?:padding|border)[a-z-]*): [\w#.% ,()-]+; ?)+$/.test(value);
        if (!isLine && !(isTop && /^(?:(?:top: -?|(?:left|height|--lineside-gutter): )[\d.]+px; ?)+$/.test(value))) {
          found.push(`style=${value}`);
        }
      }
      if (name === 'href' && !/^(?:https?:\/\/|mailto:)/i.test(value)) found.push(`href=${value}`);
      if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value)) found.push(`src=${value}`);
    }
    return found;
  };
  const single = new Set<Node>();
  const whole = new Set<Node>([document.body]);
  const note = (records: readonly MutationRecord[]) => {
    for (const { type, target, addedNodes } of records) {
      if (type === 'attributes') single.add(target);
      for (const node of addedNodes) whole.add(node);
    }
  };
  const observer = new MutationObserver(note);
  observer.observe(document, { subtree: true, childList: true, attributes: true });
  window.findForeign = () => {
    note(observer.takeRecords());
    const nodes = new Set(single);
    for (const node of whole) {
      nodes.add(node);
      if (node instanceof Element) for (const inner of node.querySelectorAll('*')) nodes.add(inner);
    }
    single.clear();
    whole.clear();
    return [...nodes].flatMap((node) =>
      node instanceof Element && node.matches('body *:not(script)') ? foreignIn(node) : [],
    );
  };
}

/**
 * Runs in the page: shows each group of messages and returns what `findForeign` finds after each group. The page draws
 * synchronously when it receives a message, so this doesn't wait for frames.
 */
async function exposeEach(text: string): Promise<string[]> {
  const groups = JSON.parse(text) as HostMessage[][];
  const found: string[] = [];
  for (const messages of groups) {
    for (const message of messages) window.postMessage(message, '*');
    await new Promise<void>((resolve) => {
      addEventListener('message', function heard({ data }) {
        if (data !== 'told') return;
        removeEventListener('message', heard);
        resolve();
      });
      window.postMessage('told', '*');
    });
    found.push(...window.findForeign());
  }
  return found;
}

/** Runs in the page: opens the menu of each message and returns what `findForeign` finds. */
function openMenus(): string[] {
  return [...document.querySelectorAll<HTMLElement>('.row-action[aria-haspopup]')].flatMap((button) => {
    button.click();
    const isOpen = document.querySelector('[role=menu]') !== null;
    const found = window.findForeign();
    button.click();
    return isOpen ? found : ['no menu'];
  });
}

/** Shows payloads as find results, in a short conversation, because the page searches all drawn rows for matches. */
async function exposeInFind(open: OpenPage, payloads: readonly string[]): Promise<void> {
  await open.tell(conversation([stepsOf('plain')]), { type: 'openFind' });
  const { findId } = (await open.posted()).findLast((one) => one.type === 'find') ?? { findId: 0 };
  const empty = { findId, isMore: false, isSearching: false, isOlderMissing: true, isOlderLoading: false } as const;
  const found = payloads.flatMap((payload): HostMessage[][] => [
    [{ type: 'found', find: { ...empty, count: 0, failure: payload } }],
    [{ type: 'found', find: { ...empty, count: 1, index: 0, match: { key: payload, place: 0 } } }],
  ]);
  expect(await open.page.evaluate(exposeEach, JSON.stringify(found))).toEqual([]);
  await open.page.getByRole('searchbox', { includeHidden: true }).evaluate((field) => {
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  });
}

/** Shows each payload as a question that can be answered, and as one that was answered. */
async function exposeInQuestions(open: OpenPage, payloads: readonly string[]): Promise<void> {
  const groups = payloads.map((payload) => {
    const rows = (['open', 'answered'] as const).map((state) => row(state, [askedOf(payload, state)]));
    return [conversation(rows, { sessionId: `asked ${payload}` })];
  });
  expect(await open.page.evaluate(exposeEach, JSON.stringify(groups))).toEqual([]);
  expect(await open.page.locator('.asked[data-state="open"] .asked-option').count()).toBe(4);
  await open.page.locator('.fold[data-kind="asked"] > .fold-button').evaluate((node) => (node as HTMLElement).click());
  expect(await open.page.evaluate(() => window.findForeign())).toEqual([]);
}

/** Shows payloads as names of suggested files, as the note if there are none, and as tooltips of links to files. */
async function exposeInFiles(open: OpenPage, payloads: readonly string[]): Promise<void> {
  const paths = payloads.map((_, index) => `src/hostile${index}.ts`);
  await open.tell(conversation([row('files', [{ type: 'markdown', text: paths.join(' ') }])], { sessionId: 'files' }));
  const find = async () => {
    const asked = await open.posted();
    return asked.flatMap((one) => (one.type === 'findPaths' && one.sessionId === 'files' ? [one] : []));
  };
  await expect.poll(async () => (await find()).flatMap((one) => one.paths).length).toBe(paths.length);
  const hints = (await find()).map((one): HostMessage[] => {
    const answer = one.paths.map((path) => ({ path, hint: payloads[paths.indexOf(path)] ?? '' }));
    return [{ type: 'answer', askId: one.askId, answer }];
  });
  expect(await open.page.evaluate(exposeEach, JSON.stringify(hints))).toEqual([]);
  await expect.poll(() => open.page.locator('.path-link').count()).toBe(paths.length);
  const suggestions = payloads.map((payload) => {
    return { suggestionId: payload, label: payload, matches: [0, 2], detail: payload, insertion: payload };
  });
  for (const answer of [
    { suggestions, note: '' },
    { suggestions: [], note: payloads.join(' ') },
  ]) {
    const count = (await open.posted()).filter(({ type }) => type === 'suggest').length;
    await open.page.locator('.composer textarea').last().evaluate(typeAt);
    const { askId } = await open.waitForPost('suggest', count);
    expect(await open.page.evaluate(exposeEach, JSON.stringify([[{ type: 'answer', askId, answer }]]))).toEqual([]);
    expect(await open.page.locator('[role=option]').count()).toBe(answer.suggestions.length);
  }
}

/** Runs in the page: types `@`, which asks for files. */
function typeAt(field: Element): void {
  if (!(field instanceof HTMLTextAreaElement)) throw new Error('The composer has no text field.');
  field.value = '@';
  field.setSelectionRange(1, 1);
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** Runs in the page: expands the comments of the draft and returns what `findForeign` finds. */
function openComments(): string[] {
  document.querySelector<HTMLElement>('.comments > .plan-button')?.click();
  const count = document.querySelectorAll('.comment-quote').length;
  return count === 1 ? window.findForeign() : [`${count} comments`];
}

const batchSize = 25;

/**
 * Shows many payloads at once in rows, plans, and what is shown about files, but one at a time elsewhere, because some
 * may only work on their own.
 */
async function expose(open: OpenPage, payloads: readonly string[]): Promise<void> {
  await open.page.evaluate(watchForForeign, { elements, attributes, formulaElements, formulaAttributes });
  await exposeInFind(open, payloads);
  await exposeInSteps(open, payloads);
  await exposeInQuestions(open, payloads);
  await exposeInFiles(open, payloads);
  for (let from = 0; from < payloads.length; from += batchSize) {
    const batch = payloads.slice(from, from + batchSize);
    const rows = batch.map((payload, index) => rowOf(payload, `p${from + index}`));
    const around = batch.map((payload): HostMessage[] => [
      conversationOf(payload, [stepsOf(payload)]),
      { type: 'sendRejected', ...shownSession, sessionId: payload, text: payload, reason: payload },
      { type: 'textReturned', ...shownSession, sessionId: payload, text: payload },
    ]);
    // All screens follow, because each change between a conversation and a screen draws the whole view again.
    const screens = batch.map((payload): HostMessage[] => [screenOf(payload), { type: 'announce', text: payload }]);
    const groups = [...around, ...screens, [conversationOf(batch.join(' '), rows)]];
    expect(await open.page.evaluate(exposeEach, JSON.stringify(groups))).toEqual([]);
    // Rows outside the view are drawn in later frames.
    await expect.poll(() => open.page.locator('article').count()).toBe(rows.length);
    expect(await open.page.locator('.turn-bar > *').count()).toBe(3);
    expect(await open.page.evaluate(openComments)).toEqual([]);
    await open.page
      .locator('.row-action:not([aria-haspopup])')
      .evaluateAll((all) => all.map((one) => (one as HTMLElement).click()));
    await answerEach(open, 'getDetails', { skip: from, count: batch.length }, (place) => {
      const payload = batch[place] ?? '';
      return [{ label: payload, value: payload, isId: true }];
    });
    expect(await open.page.locator('.details').count()).toBe(rows.length);
    expect(await open.page.evaluate(openMenus)).toEqual([]);
  }
}

/** Opens a step for each payload, and a plan with an item for each payload, several at once. */
async function exposeInSteps(open: OpenPage, payloads: readonly string[]): Promise<void> {
  for (let from = 0; from < payloads.length; from += batchSize) {
    const batch = payloads.slice(from, from + batchSize);
    const all = batch.join(' ');
    const steps = batch.map((payload, place) => stepOf('done', { messageId: `${place}`, object: payload }));
    const plan = { label: all, current: all, version: all };
    await open.tell(conversation([stepsRow('steps', steps)], { sessionId: all, header: { ...header, plan } }));
    await open.page
      .locator('.step-button, .plan-button')
      .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).click()));
    await answerEach(open, 'getStep', { skip: from, count: batch.length }, (place) => {
      const payload = batch[place] ?? '';
      return { blocks: rowOf(payload, '').blocks, cut: { text: payload, messageId: payload } };
    });
    await answerEach(open, 'getPlan', { skip: from / batchSize, count: 1 }, () =>
      batch.map((payload) => ({ text: payload, state: 'current', spoken: payload })),
    );
    expect(await open.page.locator('.step .fold-inside:not([hidden]) .row-cut').count()).toBe(batch.length);
    expect(await open.page.locator('.plan-items li').count()).toBe(batch.length);
  }
}

/** Answers `count` questions of a type from the page, after the first `skip` ones. */
async function answerEach<T extends 'getDetails' | 'getStep' | 'getPlan'>(
  open: OpenPage,
  type: T,
  { skip, count }: { readonly skip: number; readonly count: number },
  answerOf: (place: number) => PageAnswers[T],
): Promise<void> {
  await open.waitForPost(type, skip + count - 1);
  const asked = (await open.posted()).flatMap((message) => (message.type === type ? [message.askId] : [])).slice(skip);
  const answers = asked.map((askId, place): HostMessage => ({ type: 'answer', askId, answer: answerOf(place) }));
  expect(await open.page.evaluate(exposeEach, JSON.stringify([answers]))).toEqual([]);
}

/** Splits the corpora into parts that one page handles in a few seconds. */
const parts = Object.entries(corpora).flatMap(([name, payloads]) => {
  const partSize = 150;
  const count = Math.ceil(payloads.length / partSize);
  return Array.from({ length: count }, (_, index) => ({
    corpus: name,
    name: count === 1 ? name : `${name} (${index + 1} of ${count})`,
    payloads: payloads.slice(index * partSize, (index + 1) * partSize),
  }));
});

// The policy can only block what the page lets through, so while it only reports, the page is tested more strictly: the
// test fails both if something comes through and if the page itself violates the policy. An enforced policy can't
// change the result of a page that doesn't violate it, so one corpus is enough to show that the page also works with
// it.
describe.each([
  { policy: 'enforced', tested: parts.filter(({ corpus }) => corpus === 'formulas') },
  { policy: 'reported', tested: parts },
] as const)('hostile messages, with a content security policy that is $policy,', ({ policy, tested }) => {
  it.each(tested)('$name stays text (R3, R4)', async ({ name, payloads }) => {
    const open = await pages.open({ policy, heightPx: 60_000 });
    // Lay out all rows without painting them, because painting a page this tall would take most of the time.
    await open.page.evaluate(() => document.documentElement.style.setProperty('visibility', 'hidden'));
    const dialogs: string[] = [];
    open.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await open.tell(setup, conversation([rowOf('plain', 'p')]));
    const before = await shell(open);
    await expose(open, payloads);
    if (name === 'formulas') {
      await open.page.waitForFunction(() => document.querySelectorAll('.row-body math').length >= 6);
      expect(await open.page.evaluate(() => window.findForeign())).toEqual([]);
    }
    await open.tell(conversation([], { sessionId: 'other' }), conversation([rowOf('plain', 'p')]));
    expect(await shell(open)).toBe(before);
    expect(dialogs).toEqual([]);
    expect(open.foreignRequests).toEqual([]);
    expect(open.errors).toEqual([]);
    expect((await open.posted()).filter((message) => message.type === 'failed')).toEqual([]);
  });
});

it('a policy that is only reported blocks nothing, and each violation is an error', async () => {
  const open = await pages.open({ policy: 'reported' });
  const hasRun = await open.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.body.title = "run"';
    document.body.append(script);
    return document.body.title === 'run';
  });
  expect(hasRun).toBe(true);
  await expect.poll(() => open.errors.join()).toContain('violates its policy: script-src');
});

const tricks = {
  override: 'a\u202egnp.exe',
  isolate: 'a\u2067b',
  invisible: 'pay\u200bpal\u2060\ufeff',
  mark: 'a\u200fb',
};

describe('text with direction overrides or invisible characters', () => {
  it.each(Object.entries(tricks))('does not affect the text around it: %s', async (_, payload) => {
    const open = await pages.open({ heightPx: 4_000 });
    await open.tell(setup, conversationOf(payload, [rowOf(payload, 'p')]));
    const loose = () => open.page.evaluate(notIsolated, payload);
    expect(await loose()).toEqual([]);
    await open.tell(screenOf(payload));
    expect(await loose()).toEqual([]);
  });
});

/** Runs in the page: returns elements that contain the text without isolating its direction from adjacent text. */
function notIsolated(payload: string): string[] {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: string[] = [];
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const holder = node.parentElement;
    if (!holder || !(node.textContent ?? '').includes(payload)) continue;
    // The bidirectional algorithm treats a block as its own paragraph; inline elements must be isolated.
    const isBlock = !getComputedStyle(holder).display.startsWith('inline');
    const isIsolated = getComputedStyle(holder).unicodeBidi.includes('isolate');
    if (!isBlock && !isIsolated) found.push(`${holder.localName}.${holder.className}`);
    const isAlone = holder.childNodes.length === 1 || isIsolated;
    if (isBlock && !isAlone && holder.closest('.markdown') === null) found.push(`not alone: ${holder.className}`);
  }
  return found;
}

describe('the content security policy (R1)', () => {
  it('blocks injected scripts, handlers, styles, and remote images', async () => {
    const open = await pages.open();
    const seen = await open.page.evaluate(async () => {
      const violations: string[] = [];
      document.addEventListener('securitypolicyviolation', (event) => violations.push(event.effectiveDirective));
      const ran: string[] = [];
      Object.assign(window, { ran });
      const script = document.createElement('script');
      script.textContent = 'ran.push("script")';
      const image = document.createElement('img');
      image.setAttribute('onerror', 'ran.push("handler")');
      image.src = 'https://example.invalid/x.png';
      const styled = document.createElement('p');
      styled.setAttribute('style', 'color: red');
      document.body.append(script, image, styled);
      await new Promise((resolve) => setTimeout(resolve, 0));
      for (let turn = 0; turn < 100 && violations.length < 4; turn += 1) await new Promise(requestAnimationFrame);
      return { ran, violations: [...new Set(violations)].sort() };
    });
    expect(seen.ran).toEqual([]);
    expect(seen.violations).toEqual(['img-src', 'script-src-attr', 'script-src-elem', 'style-src-attr']);
  });
});
