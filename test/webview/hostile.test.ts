import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageBlock, PageRow } from '../../src/pageContent.ts';
import { openRig, type OpenPage, type PageRig } from './pageRig.ts';
import { conversation, header, row, setup } from './samples.ts';

const fixture = (path: string): unknown =>
  JSON.parse(readFileSync(join(import.meta.dirname, '..', 'fixtures', path), 'utf8'));
const examples = fixture('commonmark/spec.json') as { markdown: string }[];
const corpora: Record<string, string[]> = {
  'dompurify-xss': fixture('dompurify-xss/payloads.json') as string[],
  blns: fixture('blns/blns.json') as string[],
  commonmark: examples.map((example) => example.markdown),
};

const elements =
  'a article bdi blockquote br button code div em h2 h3 h4 h5 h6 header hr img li ol p pre s span strong svg path table tbody td th thead time tr ul';
const attributes =
  'alt aria-busy aria-expanded aria-hidden aria-label aria-posinset aria-setsize class clip-rule d data-key data-kind data-role data-state dir fill fill-rule focusable height hidden href role src start style tabindex title type viewBox width xmlns';

let rig: PageRig;
beforeAll(async () => {
  rig = await openRig();
});
afterAll(() => rig.dispose());

/** The payload in every place of a message that the service can fill. */
function rowOf(payload: string, key: string): PageRow {
  const fold = { type: 'fold', kind: 'toolUse', title: payload, detail: payload, isError: true } as const;
  const blocks: PageBlock[] = [
    { type: 'markdown', text: payload },
    { type: 'code', text: payload, language: 'html' },
    { type: 'code', text: payload, language: payload },
    { type: 'file', name: payload, detail: payload },
    { type: 'note', text: payload, href: payload },
    { type: 'image', mediaType: payload, base64: payload },
    { ...fold, blocks: [{ type: 'markdown', text: `> - ${payload}` }] },
  ];
  return row(key, blocks, { roleLabel: payload, badges: [{ label: payload, hint: payload }] });
}

/** What is there beside the messages: must be the same whatever they say. */
const shell = (open: OpenPage) =>
  open.page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter((node) => !node.closest('.canvas, .page-title, [role=status]'))
      .map((node) => `${node.tagName} ${node.getAttributeNames().sort().join()}`)
      .join('\n'),
  );

/** Runs in the page: whatever a message has brought in that is not on the lists. */
function foreign({ elements, attributes }: { elements: string; attributes: string }): string[] {
  const knownElements = new Set(elements.split(' '));
  const knownAttributes = new Set(attributes.split(' '));
  const found: string[] = [];
  for (const node of document.querySelectorAll('.canvas *, .page-title *')) {
    if (!knownElements.has(node.localName)) found.push(`<${node.localName}>`);
    for (const { name, value } of node.attributes) {
      if (!knownAttributes.has(name)) found.push(`${node.localName} ${name}=${value}`);
      const isTop = node.parentElement?.className === 'canvas';
      if (name === 'style' && !(isTop && /^(?:(?:top|height): [\d.]+px; ?)+$/.test(value)))
        found.push(`style=${value}`);
      if (name === 'href' && !/^(?:https?:\/\/|mailto:)/i.test(value)) found.push(`href=${value}`);
      if (name === 'src' && !/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(value)) found.push(`src=${value}`);
    }
  }
  return found;
}

async function expose(open: OpenPage, payloads: readonly string[]): Promise<void> {
  const batchSize = 25;
  for (let from = 0; from < payloads.length; from += batchSize) {
    const batch = payloads.slice(from, from + batchSize);
    const rows = batch.map((payload, index) => rowOf(payload, `p${from + index}`));
    const title = batch.join(' ');
    await open.tell(conversation(rows, { header: { ...header, title, model: title, sessionId: title } }));
    expect(await open.page.locator('article').count()).toBe(rows.length);
    expect(await open.page.evaluate(foreign, { elements, attributes })).toEqual([]);
  }
}

describe.each([true, false])('hostile messages, with the content policy: %s', (hasPolicy) => {
  it.each(Object.keys(corpora))('%s stays text', async (name) => {
    const open = await rig.open({ hasPolicy, heightPx: 60_000 });
    const dialogs: string[] = [];
    open.page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await open.tell(setup, conversation([rowOf('plain', 'p')]));
    const before = await shell(open);
    await expose(open, corpora[name] ?? []);
    await open.tell(conversation([rowOf('plain', 'p')]));
    expect(await shell(open)).toBe(before);
    expect(dialogs).toEqual([]);
    expect(open.foreignRequests).toEqual([]);
    expect(open.errors).toEqual([]);
    expect((await open.posted()).filter((message) => message.type === 'failed')).toEqual([]);
    await open.close();
  });
});

describe('the content policy', () => {
  it('lets no injected script, handler, style or evaluation through', async () => {
    const open = await rig.open();
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
    await open.close();
  });
});
