import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { dashes, isIn } from '../../../../src/shared/redaction/characters.ts';
import { type IssuerRule, issuerRules, wordRules } from '../../../../src/shared/redaction/issuerRules.ts';
import { redactText } from '../../../../src/shared/redaction/redaction.ts';
import { formatMarkdown } from '../../../../tools/formatMarkdown.ts';
import { issuerFormats, type SecretFormat } from './issuerFormats.ts';
import { findingsIn } from './marked.ts';
import { namedFormats } from './namedFormats.ts';
import { RandomText } from './randomText.ts';

const formats = [...issuerFormats, ...namedFormats];
const seeds = [1, 2, 3, 4, 5];
const page = fileURLToPath(new URL('../../../../docs/secrets.md', import.meta.url));

/** The example of a format. Its values depend on the format's name, so that formats of a kind don't share values. */
function exampleOf(format: SecretFormat, seed: number): { text: string; secret: string } {
  const start = Array.from(format.name).reduce((sum, character) => sum * 31 + character.charCodeAt(0), seed);
  return format.example(new RandomText(start));
}

function rulesIn(text: string): string[] {
  return findingsIn(text).map(({ rule }) => rule);
}

/** The rule that finds the example of an issuer's format; undefined if one of `wordRules` finds it instead. */
function ruleOf(format: SecretFormat): IssuerRule | undefined {
  const rules = rulesIn(exampleOf(format, 1).text);
  return issuerRules.find(({ name }) => rules.includes(name));
}

describe('likely secrets in public formats (R51)', () => {
  it.each(formats)('are removed: $name', (format) => {
    for (const seed of seeds) {
      const { text, secret } = exampleOf(format, seed);
      expect(text).toContain(secret);
      expect(redactText(text).value).not.toContain(secret);
    }
  });

  it('have different names', () => {
    expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length);
  });

  it('include one of each rule', () => {
    const found = new Set(formats.flatMap((format) => rulesIn(exampleOf(format, 1).text)));
    const missing = [...issuerRules, ...wordRules].map(({ name }) => name).filter((name) => !found.has(name));
    expect(missing).toEqual([]);
  });

  it('are removed with nothing else: formats of issuers', () => {
    const partly = new Set(['HCP Terraform token', 'Firebase Cloud Messaging key', 'Asana token']);
    for (const format of issuerFormats) {
      if (partly.has(format.name)) continue;
      expect(redactText(exampleOf(format, 1).text)).toEqual({
        value: 'It printed [redacted] and stopped.\n',
        count: 1,
      });
    }
  });

  it('have exactly their form, if the form is fixed', () => {
    // More letters than a form allows, none of them hexadecimal. They follow a hyphen if the form can contain hyphens.
    const letters = new RandomText(1).of('ghjkmnpqrstuvwxyz', 50);
    for (const format of issuerFormats) {
      const { secret } = exampleOf(format, 1);
      const rule = ruleOf(format);
      const prefix = rule?.prefixes.find((start) => secret.startsWith(start)) ?? '';
      const isFixed = rule ? rule.shape : wordRules.some(({ name }) => name === rulesIn(secret)[0]);
      if (!isFixed) continue;
      const more = rule && isIn(rule.alphabet & dashes, '-'.charCodeAt(0)) ? `-${letters}` : letters;
      const name = rulesIn(secret)[0];
      expect(rulesIn(`${prefix}${letters}${secret.slice(prefix.length)}`), format.name).not.toContain(name);
      // An Authress key has a fixed form only at its start.
      if (format.name !== 'Authress key') expect(rulesIn(`${secret}${more}`), format.name).not.toContain(name);
    }
  });

  it('are listed in docs/secrets.md (update it with `npx vitest -u`)', async () => {
    const text = await readFile(page, 'utf8');
    const filled = text
      .replace(/(<!-- issuers -->\n)[^]*?(\n<!-- end -->)/, (_, start, end) => `${start}\n${issuerTable()}\n${end}`)
      .replace(/(<!-- named -->\n)[^]*?(\n<!-- end -->)/, (_, start, end) => `${start}\n${namedTable()}\n${end}`);
    await expect(await formatMarkdown(filled)).toMatchFileSnapshot(page);
  });
});

function issuerTable(): string {
  const rows = issuerFormats.map((format) => {
    const rule = ruleOf(format);
    const starts = rule?.prefixes.slice(0, 4).map((prefix) => `\`${prefix}\``) ?? [];
    const begins = `${starts.join(' ')}${(rule?.prefixes.length ?? 0) > 4 ? ' …' : ''}`;
    const rules = rulesIn(exampleOf(format, 1).text).join(', ');
    return `| ${format.name} | ${rules} | ${begins} | ${rule?.min ?? ''} | ${format.source} |`;
  });
  const head = '| format | rule | begins with | at least | source |';
  return [head, '| --- | --- | --- | ---: | --- |', ...rows].join('\n');
}

function namedTable(): string {
  const rows = namedFormats.map((format) => {
    const { text } = exampleOf(format, 1);
    const left = redactText(text).value.trim().split('\n').slice(1, -1).join(' ↵ ');
    const rules = [...new Set(rulesIn(text))].join(', ');
    return `| ${format.name} | \`${left.replaceAll('|', '\\|').replaceAll('`', "'")}\` | ${rules} | ${format.source} |`;
  });
  return ['| format | what is left | rule | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
