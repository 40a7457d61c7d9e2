import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deliveryActions, pageActions } from '../../../../src/shared/protocol/pageMessages.ts';
import { PageRig } from './pageRig.ts';

/** What a page may ask for, written down once more: fields with what they may be; `?` marks those that may be left out. */
const isText = (most: number) => (value: unknown) => typeof value === 'string' && value.length <= most;
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
const oneOf = (words: readonly string[]) => (value: unknown) => words.includes(value as string);
const isList = (value: unknown) =>
  Array.isArray(value) && value.length <= 300 && Array.from(value as unknown[]).every(isText(2_000));
const isPaths = (value: unknown) =>
  Array.isArray(value) && value.length <= 100 && Array.from(value as unknown[]).every(isText(300));
const allowed: Readonly<Record<string, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  ready: { 'anchorKey?': isText(2_000) },
  wantRows: { keys: isList },
  loadOlder: {},
  focused: {},
  draft: {
    'sessionId?': isText(2_000),
    text: isText(4e6),
    selectionStart: isCount,
    selectionEnd: isCount,
    revision: isCount,
  },
  send: { 'sessionId?': isText(2_000), text: isText(4e6), revision: isCount },
  attach: { 'sessionId?': isText(2_000), what: oneOf(['file', 'selection', 'pick']) },
  removeAttachment: { 'sessionId?': isText(2_000), attachmentId: isText(2_000) },
  delivery: { entryId: isText(2_000), action: oneOf(deliveryActions) },
  openLink: { href: isText(8_192) },
  copy: { text: isText(4e6) },
  insertCode: { text: isText(4e6) },
  newFile: { text: isText(4e6), 'language?': isText(2_000) },
  openPicture: { messageId: isText(2_000), path: isText(40) },
  saveFile: { messageId: isText(2_000), path: isText(40) },
  wantDetails: { key: isText(2_000) },
  findPaths: { paths: isPaths },
  openPath: { path: isText(300) },
  act: { action: oneOf(pageActions) },
  failed: { reason: isText(2_000) },
};

function isAllowed(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const fields = Object.entries<unknown>(message as Record<string, unknown>).filter(([name]) => name !== 'type');
  const { type } = message as { readonly type?: unknown };
  const shape = typeof type === 'string' && Object.hasOwn(allowed, type) ? allowed[type] : undefined;
  if (!shape || !Object.hasOwn(message, 'type')) return false;
  const given = new Map(fields);
  for (const [field, isFit] of Object.entries(shape)) {
    const name = field.replace('?', '');
    const value = given.get(name);
    given.delete(name);
    if (value === undefined ? !field.endsWith('?') : !isFit(value)) return false;
  }
  return given.size === 0;
}

const text = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.constantFrom('', 'x'.repeat(2_001), 'x'.repeat(8_193), 'file:///etc'),
);
const valid = fc.oneof(
  fc.record({ type: fc.constant('ready'), anchorKey: text }, { requiredKeys: ['type'] }),
  fc.record({ type: fc.constant('wantRows'), keys: fc.array(text, { maxLength: 5 }) }),
  fc.record({ type: fc.constantFrom('loadOlder', 'focused') }),
  fc.record({
    type: fc.constant('draft'),
    text,
    selectionStart: fc.nat(),
    selectionEnd: fc.nat(),
    revision: fc.nat(),
  }),
  fc.record(
    { type: fc.constant('send'), sessionId: text, text, revision: fc.nat() },
    { requiredKeys: ['type', 'text', 'revision'] },
  ),
  fc.record({ type: fc.constant('attach'), what: fc.constantFrom('file', 'selection', 'pick') }),
  fc.record({ type: fc.constant('removeAttachment'), attachmentId: text }),
  fc.record({ type: fc.constant('delivery'), entryId: text, action: fc.constantFrom(...deliveryActions) }),
  fc.record({ type: fc.constant('openLink'), href: text }),
  fc.record({ type: fc.constantFrom('copy', 'insertCode'), text }),
  fc.record({ type: fc.constant('newFile'), text, language: text }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constantFrom('openPicture', 'saveFile'), messageId: text, path: text }),
  fc.record({ type: fc.constant('wantDetails'), key: text }),
  fc.record({ type: fc.constant('findPaths'), paths: fc.array(text, { maxLength: 5 }) }),
  fc.record({ type: fc.constant('openPath'), path: text }),
  fc.record({ type: fc.constant('act'), action: fc.constantFrom(...pageActions) }),
  fc.record({ type: fc.constant('failed'), reason: text }),
);
const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true });
const name = fc.oneof(
  fc.constantFrom('type', 'text', 'path', 'command', 'action', 'keys', 'uri', '__proto__', 'constructor', 'toString'),
  fc.string({ maxLength: 8 }),
);
/** A message of the protocol with one thing wrong, or right after all. */
const mutated = fc.tuple(valid, name, anything, fc.boolean()).map(([message, field, value, removes]) => {
  const entries = Object.entries(message).filter(([own]) => own !== field);
  return removes ? Object.fromEntries(entries) : Object.fromEntries([...entries, [field, value]]);
});

describe('the door of the page (R5)', () => {
  it('lets in what is in the protocol and nothing else, and never throws', async () => {
    const rig = new PageRig(3);
    await rig.open();
    let count = 0;
    let handedOn = 0;
    fc.assert(
      fc.property(fc.oneof(valid, { weight: 2, arbitrary: mutated }, anything), (message) => {
        rig.requests.length = 0;
        rig.warnings.length = 0;
        rig.webview.say(message);
        count++;
        const isOwn = isAllowed(message);
        const isSettled = isOwn && ['ready', 'wantRows'].includes((message as { type: string }).type);
        handedOn += rig.requests.length;
        expect(rig.requests).toEqual(isOwn && !isSettled ? [message] : []);
        expect(rig.warnings).toHaveLength(isOwn ? 0 : 1);
      }),
      { numRuns: 10_000 },
    );
    expect(count).toBeGreaterThanOrEqual(10_000);
    expect(handedOn).toBeGreaterThan(1_000);
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    rig.page.dispose();
  });

  it.each([
    ['a command', { type: 'act', action: 'workbench.action.quit' }],
    ['a command of ours that is not offered', { type: 'act', action: 'clearAllData' }],
    ['a path to attach', { type: 'attach', what: 'file', path: '/etc/passwd' }],
    ['a URL to attach', { type: 'attach', what: 'https://a.test' }],
    ['too many rows', { type: 'wantRows', keys: Array.from({ length: 301 }, String) }],
    ['a setting', { type: 'set', name: 'baseUrl', value: 'https://evil.test' }],
    ['a caret before the start', { type: 'draft', text: '', selectionStart: -1, selectionEnd: 0, revision: 1 }],
    ['a caret in between', { type: 'draft', text: '', selectionStart: 0.5, selectionEnd: 1, revision: 1 }],
    ['a link beyond measure', { type: 'openLink', href: `https://${'a'.repeat(8_192)}` }],
    ['a type of another kind', { type: ['send'], text: 'x' }],
    ['a list', [{ type: 'loadOlder' }]],
  ])('keeps out %s', (_what, message) => {
    const rig = new PageRig(1);
    rig.webview.say(message);
    expect(rig.requests).toEqual([]);
    expect(rig.warnings).toEqual(['the page posted something that is not in the protocol; it was dropped']);
    rig.page.dispose();
  });

  it('says nothing of what was posted in the log', () => {
    const rig = new PageRig(1);
    rig.webview.say({ type: 'secret-canary', text: 'secret-canary' });
    expect(rig.warnings.join()).not.toContain('secret-canary');
    rig.page.dispose();
  });
});
