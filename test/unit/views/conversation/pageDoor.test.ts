import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type PageMessage,
  pageMessages,
  type PageMessageType,
  parsePageMessage,
} from '../../../../src/shared/protocol/pageMessages.ts';
import {
  attachmentKinds,
  composerActions,
  deliveryActions,
  detailLevels,
  messageActions,
  pageActions,
  sendTimes,
} from '../../../../src/shared/protocol/vocabulary.ts';
import { pageHandlers } from '../../../../src/views/conversation/conversationPage.ts';
import { namedSession } from '../../../../src/state/store/sessionKey.ts';
import { PageRig } from './pageRig.ts';

/** A check of a value. `edges` are values at its limits and beyond them; the first one is allowed. */
interface Check {
  (value: unknown): boolean;
  readonly edges: () => readonly unknown[];
}
const checkOf = (isFit: (value: unknown) => boolean, edges: () => readonly unknown[]): Check =>
  Object.assign((value: unknown) => isFit(value), { edges });

const uuid = '01234567-89ab-cdef-0123-456789abcdef';

// The protocol, defined a second time without schemas, to check the schemas against. `?` marks optional fields.
const isText = (most: number, least = 0): Check =>
  checkOf(
    (value) => typeof value === 'string' && value.length >= least && value.length <= most,
    () => [...[most, most + 1, least, Math.max(0, least - 1)].map((length) => 'x'.repeat(length)), 7],
  );
const isCount = checkOf(
  (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  () => [0, -1, 0.5, Number.MAX_SAFE_INTEGER, 2 ** 53, '0'],
);
const isIndex = checkOf(
  (value) => value === -1 || isCount(value),
  () => [-1, -2, 0, 0.5],
);
const isBoolean = checkOf(
  (value) => typeof value === 'boolean',
  () => [true, false, 0],
);
const oneOf = (...words: readonly unknown[]): Check =>
  checkOf(
    (value) => words.includes(value),
    () => [...words, '', 0, 'other'],
  );
const listOf = (isItem: Check, most: number): Check =>
  checkOf(
    (value) => Array.isArray(value) && value.length <= most && Array.from(value as unknown[]).every(isItem),
    () => {
      const [item, ...others] = isItem.edges();
      return [
        ...[most, most + 1, 0].map((length) => Array.from({ length }, () => item)),
        ...others.map((other) => [other]),
        item,
      ];
    },
  );
const isBytes = checkOf(
  (value) => (value instanceof Uint8Array || value instanceof ArrayBuffer) && value.byteLength <= 50_000_000,
  () => [new ArrayBuffer(50_000_000), new ArrayBuffer(50_000_001), new Uint8Array(50_000_001), new Uint8Array(1), [1]],
);
const isUuid = checkOf(
  (value) => typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value),
  () => [uuid, `${uuid}0`, `0${uuid}`, `x${uuid}`, `${uuid}x`, uuid.slice(1), uuid.toUpperCase()],
);
const hasOnly = (value: unknown, ...names: readonly string[]) =>
  typeof value === 'object' && value !== null && Object.keys(value).sort().join() === names.join();
const isCondition = checkOf(
  (value) => {
    const { kind, at, key } = { ...(value as Record<string, unknown> | undefined) };
    if (kind === 'time') return hasOnly(value, 'at', 'kind') && isCount(at);
    if (kind !== 'sessionIdle' || !hasOnly(value, 'key', 'kind') || !hasOnly(key, 'origin', 'sessionId')) return false;
    return Object.values(key as object).every(isText(2_000));
  },
  () => [
    { kind: 'time', at: 5 },
    { kind: 'time', at: 0.5 },
    { kind: 'time', at: '5' },
    { kind: 'time' },
    { kind: 'time', at: 5, key: {} },
    { kind: 'sessionIdle', key: { origin: 'o', sessionId: 's' } },
    { kind: 'sessionIdle', key: { origin: 'o', sessionId: 'x'.repeat(2_001) } },
    { kind: 'sessionIdle', key: { origin: 'o' } },
    { kind: 'sessionIdle', key: { origin: 'o', sessionId: 's', at: 5 } },
    { kind: 'other', at: 5 },
    7,
  ],
);
const session = { origin: isText(2_000), sessionId: isText(2_000) };
const allowed: Readonly<Record<PageMessageType, Readonly<Record<string, Check>>>> = {
  ready: { 'anchorKey?': isText(2_000), 'timeZone?': isText(2_000) },
  drawn: {},
  saved: {},
  pong: { 'anchorKey?': isText(2_000) },
  focused: { isFocused: isBoolean },
  failed: { reason: isText(2_000) },
  act: { action: oneOf(...pageActions), 'origin?': isText(2_000), 'sessionId?': isText(2_000) },
  openLink: { href: isText(8_192) },
  copy: { text: isText(5e7) },
  wantRows: { ...session, keys: listOf(isText(2_000), 300) },
  toggleSteps: { ...session, key: isText(2_000) },
  showTurn: { ...session, key: isText(2_000), part: oneOf('changes', 'errors') },
  revealMessage: { ...session, messageId: isText(2_000) },
  getBookmark: { askId: isCount, ...session, 'from?': isText(2_000), by: oneOf(1, -1) },
  loadOlder: { ...session },
  cancelLoading: { ...session },
  loadRest: { ...session },
  setFilter: {
    ...session,
    detailLevel: oneOf(...detailLevels),
    'anchorKey?': isText(2_000),
  },
  find: {
    ...session,
    findId: isCount,
    text: isText(2_000),
    isCase: isBoolean,
    isWord: isBoolean,
    isRegex: isBoolean,
    'fromKey?': isText(2_000),
  },
  findStep: { ...session, findId: isCount, by: oneOf(1, -1) },
  findStop: { ...session },
  messageAction: { ...session, action: oneOf(...messageActions), key: isText(2_000), 'text?': isText(5e7) },
  delivery: { entryId: isText(2_000), action: oneOf(...deliveryActions) },
  showAll: { ...session, key: isText(2_000), 'index?': isIndex },
  compareCode: { text: isText(5e7) },
  getDetails: { askId: isCount, ...session, key: isText(2_000) },
  getStep: { askId: isCount, ...session, messageId: isText(2_000), index: isIndex },
  getPlan: { askId: isCount, ...session },
  insertCode: { text: isText(5e7) },
  newFile: { text: isText(5e7), 'language?': isText(2_000) },
  previewDiagram: { text: isText(5e7) },
  openPicture: { ...session, messageId: isText(2_000), path: isText(40) },
  saveFile: { ...session, messageId: isText(2_000), path: isText(40) },
  findPaths: { askId: isCount, ...session, paths: listOf(isText(1_000), 100) },
  openPath: { ...session, path: isText(1_000), 'toSide?': isBoolean },
  draft: {
    ...session,
    text: isText(5e7),
    selectionStart: isCount,
    selectionEnd: isCount,
    revision: isCount,
    'addedId?': isCount,
  },
  send: {
    ...session,
    text: isText(5e7),
    revision: isCount,
    'addedId?': isCount,
    'shownId?': isText(2_000),
    'seenRejectionId?': isCount,
    'when?': oneOf(...sendTimes),
    'after?': isCondition,
    'hasWaited?': oneOf(true),
  },
  addComment: {
    ...session,
    commentId: isUuid,
    key: isText(2_000),
    quote: isText(2_000),
    offset: isCount,
    revision: isCount,
  },
  changeComment: { ...session, commentId: isUuid, text: isText(5e7), revision: isCount },
  removeComment: { ...session, commentId: isUuid, revision: isCount },
  attach: { ...session, what: oneOf(...attachmentKinds) },
  attachBytes: { ...session, attachmentId: isUuid, name: isText(255, 1), bytes: isBytes },
  attachUris: { ...session, uris: listOf(isText(8_192), 200) },
  removeAttachment: { ...session, attachmentId: isText(2_000) },
  previewAttachment: { ...session, attachmentId: isText(2_000) },
  getUnavailableAttachments: { askId: isCount },
  chooseSendTime: { askId: isCount, ...session },
  suggest: { askId: isCount, ...session, kind: oneOf('file', 'snippet'), query: isText(200) },
  takeSuggestion: { ...session, kind: oneOf('file', 'snippet'), suggestionId: isText(2_000) },
  getPrompt: { askId: isCount, ...session, step: oneOf('older', 'newer'), 'from?': isText(2_000) },
  compose: { ...session, action: oneOf(...composerActions) },
  composerFocus: { isFocused: isBoolean },
};

function isAllowed(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || Array.isArray(message)) return false;
  const { type } = message as { readonly type?: unknown };
  const isKnown = typeof type === 'string' && Object.hasOwn(allowed, type) && Object.hasOwn(message, 'type');
  if (!isKnown) return false;
  const given = new Map(
    Object.entries<unknown>(message as Record<string, unknown>).filter(([name]) => name !== 'type'),
  );
  for (const [field, isFit] of Object.entries(allowed[type as PageMessageType])) {
    const name = field.replace('?', '');
    const value = given.get(name);
    given.delete(name);
    if (value === undefined ? !field.endsWith('?') : !isFit(value)) return false;
  }
  return given.size === 0;
}

/** The parts of a Zod Mini schema that the generators below read. */
interface Schema {
  readonly _zod: { readonly def: SchemaDefinition };
}
interface SchemaDefinition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly innerType?: Schema;
  readonly element?: Schema;
  readonly options?: readonly Schema[];
  readonly values?: readonly unknown[];
  readonly entries?: Readonly<Record<string, string>>;
  readonly checks?: readonly { readonly _zod: { readonly def: object } }[];
}

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ maxLength: 20 }) },
  fc.constantFrom('', uuid, 'file:///etc', 'x'.repeat(41), 'x'.repeat(301), 'x'.repeat(2_001), 'x'.repeat(8_193)),
);

/** Generates values with the shape of a schema. They may exceed its limits. */
function valuesOf(schema: Schema): fc.Arbitrary<unknown> {
  const { type, shape, innerType, element, options, values, entries, checks } = schema._zod.def;
  switch (type) {
    case 'object': {
      const fields = Object.entries(shape ?? {});
      const requiredKeys = fields.flatMap(([name, field]) => (field._zod.def.type === 'optional' ? [] : [name]));
      return fc.record(Object.fromEntries(fields.map(([name, field]) => [name, valuesOf(field)])), { requiredKeys });
    }
    case 'optional':
      return valuesOf(innerType!);
    case 'array':
      return fc.array(valuesOf(element!), { maxLength: 5 });
    case 'union':
      return fc.oneof(...options!.map(valuesOf));
    case 'literal':
      return fc.constantFrom(...values!);
    case 'enum':
      return fc.constantFrom(...Object.values(entries!));
    case 'boolean':
      return fc.boolean();
    case 'number':
      return fc.nat();
    case 'string':
      return checks?.some(({ _zod: { def } }) => 'format' in def) ? fc.oneof(fc.constant(uuid), text) : text;
    case 'custom':
      return fc.uint8Array({ maxLength: 20 });
    default:
      throw new Error(`a schema of an unknown type: ${type}`);
  }
}

const anything = fc.anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true });
const strangeNames = ['type', 'path', 'command', 'uri', '__proto__', 'constructor', 'toString'];

/** Generates messages with one field removed, added, or replaced. */
function mutationsOf(schema: Schema): fc.Arbitrary<unknown> {
  const names = [...Object.keys(schema._zod.def.shape ?? {}), ...strangeNames];
  const name = fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 }));
  return fc.tuple(valuesOf(schema), name, anything, fc.boolean()).map(([message, field, value, removes]) => {
    const entries = Object.entries(message as Record<string, unknown>).filter(([own]) => own !== field);
    return removes ? Object.fromEntries(entries) : Object.fromEntries([...entries, [field, value]]);
  });
}

/**
 * Posts a message, and checks that it is handled if it is in the protocol, and otherwise dropped with one warning.
 * Returns whether the message is in the protocol.
 */
function expectJudged(rig: PageRig, message: unknown): boolean {
  rig.requests.length = 0;
  rig.warnings.length = 0;
  const isAccepted = isAllowed(message);
  // A message about a session that the page has never shown isn't handled.
  if (isAccepted) rig.page.show(namedSession(message as PageMessage));
  rig.webview.say(message);
  const isOwn = isAccepted && (message as { readonly type: string }).type in pageHandlers;
  expect(rig.requests).toEqual(isAccepted && !isOwn ? [message] : []);
  expect(rig.warnings).toHaveLength(isAccepted ? 0 : 1);
  return isAccepted;
}

describe('the messages of the page (R5)', () => {
  it.each(Object.entries(pageMessages))(
    '%s is accepted if it matches its schema, and dropped otherwise',
    (_type, schema) => {
      const rig = new PageRig(3);
      let accepted = 0;
      let rejected = 0;
      fc.assert(
        fc.property(fc.oneof(valuesOf(schema), mutationsOf(schema)), (message) => {
          if (expectJudged(rig, message)) accepted++;
          else rejected++;
        }),
        { numRuns: 300 },
      );
      expect(accepted).toBeGreaterThan(10);
      expect(rejected).toBeGreaterThan(10);
      rig.page.dispose();
    },
  );

  it.each(Object.entries(allowed))(
    '%s accepts every value up to its limits, and no value beyond them',
    (type, fields) => {
      const rig = new PageRig(3);
      const edges = Object.entries(fields).map(([field, { edges: edgesOf }]) => ({ field, values: edgesOf() }));
      const valid = new Map(edges.map(({ field, values: [value] }) => [field.replace('?', ''), value]));
      const message = { type, ...Object.fromEntries(valid) };
      expect(expectJudged(rig, message)).toBe(true);
      for (const { field, values } of edges) {
        const name = field.replace('?', '');
        for (const value of values) expectJudged(rig, { ...message, [name]: value });
        const others = Object.fromEntries(Object.entries(message).filter(([own]) => own !== name));
        expect(expectJudged(rig, others)).toBe(field.endsWith('?'));
      }
      rig.page.dispose();
    },
  );

  it('of an unknown type are distinguished from malformed ones, without their content', () => {
    for (const data of [undefined, null, 5, 'text', {}, { type: 'secret' }, { type: 'toString' }, { type: ['send'] }]) {
      expect(() => parsePageMessage(data)).toThrow(/^unknown message type$/);
    }
    expect(() => parsePageMessage({ type: 'act', action: 'secret' })).toThrow(/^malformed message "act"$/);
  });

  it('are exactly those of the protocol, and no value causes an exception', () => {
    const rig = new PageRig(3);
    fc.assert(
      fc.property(anything, (message) => void expectJudged(rig, message)),
      { numRuns: 3_000 },
    );
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('polluted');
    expect(Object.keys(allowed).sort()).toEqual(Object.keys(pageMessages).sort());
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
    ['a fractional caret', { type: 'draft', text: '', selectionStart: 0.5, selectionEnd: 1, revision: 1 }],
    ['a link that is too long', { type: 'openLink', href: `https://${'a'.repeat(8_192)}` }],
    ['a type that is not a string', { type: ['send'], text: 'x' }],
    ['a list', [{ type: 'loadOlder' }]],
  ])('do not include %s', (_what, message) => {
    const rig = new PageRig(1);
    rig.webview.say(message);
    expect(rig.requests).toEqual([]);
    expect(rig.warnings).toEqual(['dropped a message from the page that is not in the protocol']);
    rig.page.dispose();
  });

  it('that are malformed questions are answered, so that the page does not wait', async () => {
    const rig = new PageRig(1);
    await rig.open();
    rig.take();
    rig.webview.say({ type: 'suggest', askId: 7, kind: 'file', query: 'x'.repeat(201) });
    await rig.settle();
    expect(rig.take()).toEqual([{ type: 'answer', askId: 7, answer: undefined }]);
    rig.webview.say({ type: 'suggest', askId: 'seven' });
    await rig.settle();
    expect(rig.take()).toEqual([]);
    rig.page.dispose();
  });

  it('are rejected without logging their content', () => {
    const rig = new PageRig(1);
    rig.webview.say({ type: 'secret-canary', text: 'secret-canary' });
    expect(rig.warnings.join()).not.toContain('secret-canary');
    rig.page.dispose();
  });
});
