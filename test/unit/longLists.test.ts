/**
 * Lists of any length: a call whose arguments are the items of a list fails from about 120,000 items on. Lint rules
 * find such calls; these tests show that the code that replaces them works.
 */
import { describe, expect, it } from 'vitest';
import { parseJson } from '../../src/shared/json.ts';
import { redactSecrets } from '../../src/shared/secrets.ts';
import * as embed from '../../src/state/markdown/embed.ts';
import { withoutPause } from '../../src/shared/slices.ts';
import { showConversation } from '../../src/state/conversation/rows.ts';
import { ComparisonBudget, diffLines } from '../../src/state/tools/lineDiff.ts';
import { addArrival, type Arrival } from '../../src/sync/cache/indexFormat.ts';
import { RowTransfer } from '../../src/views/conversation/rowTransfer.ts';
import { divide } from '../../src/webview/content/sections.ts';
import { lintTexts } from './lintTexts.ts';
import { entryOf, headerOf, recordOf, viewOf } from './state/samples.ts';

const fencedText = (...given: Parameters<typeof embed.fencedText>) => withoutPause(embed.fencedText(...given));

const count = 200_000;
const numbered = <T>(make: (index: number) => T) => Array.from({ length: count }, (_, index) => make(index));

describe('a list of 200,000 items', () => {
  it('can be in JSON that is too deep', () => {
    const deep = `${'['.repeat(201)}${numbered(() => '0').join()}${']'.repeat(201)}`;
    expect(JSON.stringify(parseJson(deep))).toHaveLength(20_403);
  });

  it('can be the fences of a text', () => {
    const text = numbered(() => '```\n').join('') + '`````';
    expect(fencedText(text).startsWith('``````\n')).toBe(true);
  });

  it('can be the characters that a text encodes', () => {
    const text = numbered(() => '&#97;').join('');
    expect(redactSecrets(`${text} secret-key-1`, ['secret-key-1'])).toContain('&#97;');
  });

  it('can be the rows of a conversation', async () => {
    const record = recordOf({ headers: numbered((index) => headerOf(`m${index}`)) });
    const rows = showConversation(record, viewOf()).rows;
    const transfer = new RowTransfer();
    const bodies = { read: () => Promise.resolve(new Map()) };
    await transfer.start([], bodies);
    expect(await transfer.update(rows, bodies)).not.toEqual([]);
  });

  it('can be the messages in the outbox', () => {
    const outbox = numbered((index) => entryOf({ entryId: `e${index}`, state: 'accepted', messageId: `m${index}` }));
    expect(showConversation(recordOf({ outbox }), viewOf()).rows).toHaveLength(count);
  });

  it('can be the lines of a change', () => {
    const text = numbered((index) => `${index}`).join('\n');
    expect([...diffLines('', text, new ComparisonBudget())]).toHaveLength(count);
  });

  it('can be the messages that arrived', () => {
    const arrivals: Arrival[] = [];
    for (const name of ['a', 'b'])
      addArrival(
        arrivals,
        'after',
        numbered((index) => `${name}${index}`),
      );
    expect(arrivals[0]?.messageIds).toHaveLength(2 * count);
  });

  it('can be the sections of a message', () => {
    expect(divide('a'.repeat(10_000_000)).length).toBeGreaterThan(1);
  });
});

const forbidden = [
  'list.push(...list);',
  'list.unshift(0, ...list);',
  'list.splice(0, 0, ...list);',
  'list.concat(...[list]);',
  'Math.max(0, ...list);',
  'Math.min(...list);',
  'String.fromCharCode(...list);',
  'String.fromCodePoint(...list);',
  'list.push.apply(list, list);',
];
const allowed = ['list.push(1);', 'list.concat(list);', 'export const all = [...list, ...list];'];
const found = await lintTexts(
  [...forbidden, ...allowed].map((code) => {
    return { path: 'src/shared/lists.ts', code: `const list: number[] = [];\n${code}\n` };
  }),
);
const doorsIn = (index: number) => found[index]?.filter((rule) => rule === 'house(doors)');

describe('a lint rule forbids', () => {
  it.each(forbidden)('%s', (code) => expect(doorsIn(forbidden.indexOf(code))).toHaveLength(1));

  it.each(allowed)('but not %s', (code) => {
    expect(doorsIn(forbidden.length + allowed.indexOf(code))).toEqual([]);
  });
});
