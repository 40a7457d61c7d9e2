import { describe, expect, it } from 'vitest';
import { findingsIn, marked, unmarked } from './marked.ts';
import { RandomText } from './randomText.ts';

const random = new RandomText(9);
const [random16, random32] = ['x8Kq2mZp7wRt4vBn', 'x8Kq2mZp7wRt4vBnx9cF3hJd6sGy1kQx'];
const [github, slack, aws] = ['ghp_', 'xoxb-', 'AKIA'];

describe('a token with the prefix of its issuer', () => {
  const long = random.base62(36);

  it.each([
    [`It is ‹${github}${long}›.`, 'GitHub token'],
    [`It is ‹${github}${long.slice(1)}.${long}›...`, 'GitHub token'],
    [`‹${github}${long.slice(1)}›..`, 'Prefix and random text?'],
    [`+‹${github}${long}›`, 'GitHub token'],
  ])('ends before periods: %s', (text, rules) => expect(marked(unmarked(text))).toEqual([text, rules]));

  it.each([
    `‹${slack}iitre73specw61nn38i›`,
    `${slack}pansuiggh1fty8nc34r`,
    `${slack}sknesevsdimp9f3ncr2e`,
    `‹${slack}1rrl7q8h12iroriantfm›`,
    `${slack}some-name-of-a-channel`,
  ])('looks less like words the longer it is: %s', (text) => expect(marked(unmarked(text))[0]).toBe(text));

  it('of a fixed form can look less random, but is no filler', () => {
    expect(findingsIn(aws + 'A'.repeat(16))).toHaveLength(1);
    expect(findingsIn(aws + 'A'.repeat(17))).toHaveLength(0);
  });

  it('of a fixed form has at most 300 characters', () => {
    const token = `rubygems_${random.hex(291)}`;
    expect(findingsIn(token)).toHaveLength(1);
    expect(findingsIn(`${token}0`)).toHaveLength(0);
  });
});

describe('a JSON Web Token', () => {
  it.each([
    'jwt ‹eyJhbGci.eyJzdWIi›',
    'jwt eyJhbGc.eyJzdWIi',
    'jwt eyJhbGci.eyJzdWI',
    'jwt eyJhbGci..eyJzdWIi',
    'jwt eyJhbGci eyJzdWIi',
    '‹eyJhbGci.eyJzdWIi.a›.',
    '‹eyJhbGci.eyJzdWIi.a.b.c›.d',
    '‹eyJhbGci.eyJzdWIi..a›',
  ])('has two to five parts, the first two of at least 8 characters: %s', (text) => {
    expect(marked(unmarked(text))).toEqual([text, text.includes('‹') ? 'JSON Web Token' : '']);
  });

  it('has at most 8,192 characters', () => {
    const token = `eyJhbGci.${'a'.repeat(8_183)}`;
    expect(findingsIn(`the jwt is ${token}`)).toMatchObject([{ start: 11, end: 8_203 }]);
    expect(findingsIn(`the jwt is ${token}a`)).toEqual([]);
  });
});

describe('a token of an unknown issuer', () => {
  it.each([
    `‹acme_key_${random16}›`,
    `‹acME_acme_acme_key_${random16}›`,
    `acME_acme_acme_acme_key_${random16}`,
    `acme_keys_${random16}`,
    `‹acmekey_${random16}›`,
    `acmekeys_${random16}`,
    `‹pk-${random16}7›`,
    `pk-${random16}`,
    `acme_key_${random16.slice(1)}`,
    `‹acme_key_acme_${random16}›`,
    `acme--key_${random16}`,
    `=acme_key_${random16}`,
    `/acme_key_${random16}`,
    `(‹acme_key_${random16}›)`,
    'acme_key_amclbuvrifpt5ctd',
    '‹acme_key_lon4wdbtclzm9okd›',
    '‹acme_key_pschq3rr7l2sprg4›',
    'acme_key_yletemhtaje64bhu',
    'acme_key_workbench2action4files',
  ])('has a word that says so before 16 characters that look random, two of them digits: %s', (text) => {
    expect(marked(unmarked(text))).toEqual([text, text.includes('‹') ? 'Prefix and random text?' : '']);
  });

  it.each(['sha256', 'commit', 'image', 'snapshot', 'container', 'toolu', 'call'])(
    'is not an ID or a hash, which begins with: %s',
    (first) => {
      for (const text of [`${first}_key_${random16}`, `${first}_${random32}`]) expect(marked(text)).toEqual([text, '']);
    },
  );

  it.each([
    `‹acme_${random32}›`,
    `‹acmeacmeacme_${random32}›`,
    `acmeacmeacmea_${random32}`,
    `acME_${random32}`,
    `acme_${random32.slice(1)}`,
    'acme_qVMBttceuGm9bExJfgMIXXEl5UgtpHlh',
    '‹acme_yVvB7K7IhtinPoGbKdUQNC4zFENkCWWc›',
    '‹acme_qTLATm0WAxetRwCFLLzElq9erbO5k0NY›',
    'acme_fLlDRx1hD86Loas48nva6x2HDgan0uet',
    'acme_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
    `acme_${random32.toLowerCase()}`,
    `‹acme_${random32.toLowerCase()}x8kq2mzp›`,
    `acme-${random32.toLowerCase()}x8kq2mzp`,
  ])('has any short word before 32 characters that look very random: %s', (text) => {
    expect(marked(unmarked(text))).toEqual([text, text.includes('‹') ? 'Prefix and random text?' : '']);
  });

  it('has at most 200 characters', () => {
    const token = `acme_key_${random.base62(191)}`;
    expect(findingsIn(token)).toHaveLength(1);
    expect(findingsIn(`${token}a`)).toHaveLength(0);
  });

  it('is certain only if it has a fixed form', () => {
    const token = `${random.hex(32)}-us14`;
    expect(marked(`a ${token}`)).toEqual([`a ‹${token}›`, 'Mailchimp key']);
  });
});
