import { describe, expect, it } from 'vitest';
import { translator } from '../../../src/shared/translate.ts';

const messages = { one: '1 message', other: '{0} messages' };
const polish = {
  '1 message': '1 wiadomość',
  '{0} messages': '{0} wiadomości',
  '{0} messages/few': '{0} wiadomości',
  '{0} messages/many': '{0} wiadomości (wiele)',
};
const russian = {
  '1 message': '{0} сообщение',
  '{0} messages': '{0} сообщения',
  '{0} messages/few': '{0} сообщения',
  '{0} messages/many': '{0} сообщений',
  '{0} new': '{0} новых',
  '{0} new/one': '{0} новое',
};

describe('sentences about a number', () => {
  it.each([
    ['en', undefined, [0, 1, 2, 1_200], ['0 messages', '1 message', '2 messages', '1,200 messages']],
    [
      'de',
      { '1 message': '1 Nachricht', '{0} messages': '{0} Nachrichten' },
      [1, 1_200],
      ['1 Nachricht', '1.200 Nachrichten'],
    ],
    ['ja', { '{0} messages': 'メッセージ {0} 件' }, [1, 2], ['メッセージ 1 件', 'メッセージ 2 件']],
    ['pl', polish, [1, 3, 5, 21], ['1 wiadomość', '3 wiadomości', '5 wiadomości (wiele)', '21 wiadomości (wiele)']],
    ['ru', russian, [1, 3, 5, 21], ['1 сообщение', '3 сообщения', '5 сообщений', '21 сообщение']],
    // VS Code is in Russian, but there is no translation: the sentences are English, and so are their forms.
    ['ru', undefined, [1, 21], ['1 message', '21 messages']],
    // The same in a language that lacks only this sentence.
    ['ru', { Other: 'Другое' }, [1, 21], ['1 message', '21 messages']],
    ['ja', {}, [1, 2], ['1 message', '2 messages']],
    ['no such language', undefined, [1, 21], ['1 message', '21 messages']],
  ])('have the forms of %s', (locale, bundle, counts, expected) => {
    const t = translator(locale, bundle);
    expect(counts.map((count) => t(messages, count))).toEqual(expected);
    // The page gets all forms, and selects the same ones.
    const forms = t.forms(messages);
    expect(counts.map((count) => t.formats.fill(forms, [count]))).toEqual(expected);
  });

  it('use the first number, and the general form without one', () => {
    const t = translator('en');
    const tokens = { one: '{0}: 1 token', other: '{0}: {1} tokens' };
    expect([t(tokens, 'May 1', 1), t(tokens, 'May 1', 3), t(messages, '1.2M')]).toEqual([
      'May 1: 1 token',
      'May 1: 3 tokens',
      '1.2M messages',
    ]);
  });

  it('can have forms that English lacks, and fall back to the translated general form', () => {
    const t = translator('ru', russian);
    expect([1, 2, 21].map((count) => t({ other: '{0} new' }, count))).toEqual(['1 новое', '2 новых', '21 новое']);
    expect(translator('de', { '{0} messages': '{0} Nachrichten' })(messages, 1)).toBe('1 Nachrichten');
  });
});

it('a translation can move its values, and values are never read as placeholders', () => {
  const t = translator('ja', { 'Attached {0} to {1}.': '{1} に {0} を添付しました。' });
  expect(t('Attached {0} to {1}.', '{1}', 'b')).toBe('b に {1} を添付しました。');
  expect(t('Untranslated {0}, {1}', 'a')).toBe('Untranslated a, {1}');
});

it('the language is that of the sentences', () => {
  expect(translator('de', {}).formats.language).toBe('de');
  expect(translator('de').formats.language).toBe('en');
});
