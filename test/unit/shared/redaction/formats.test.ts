import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { issuerRules, wordRules } from '../../../../src/shared/redaction/issuerRules.ts';
import { redactText } from '../../../../src/shared/redaction/redaction.ts';
import { SecretScanner } from '../../../../src/shared/redaction/secretScanner.ts';
import { formatMarkdown } from '../../../formatMarkdown.ts';
import { issuerFormats, type SecretFormat } from './issuerFormats.ts';
import { namedFormats } from './namedFormats.ts';
import { RandomText } from './randomText.ts';

const formats = [...issuerFormats, ...namedFormats];
const seeds = [1, 2, 3, 4, 5];
const page = fileURLToPath(new URL('../../../../docs/secrets.md', import.meta.url));

/** The example of a format, whose values depend on its name, so that formats of a kind don't share values. */
function exampleOf(format: SecretFormat, seed: number): { text: string; secret: string } {
  const start = Array.from(format.name).reduce((sum, character) => sum * 31 + character.charCodeAt(0), seed);
  return format.example(new RandomText(start));
}

function rulesIn(text: string): string[] {
  const scanner = new SecretScanner(text);
  scanner.advance(text.length);
  return scanner.findings.map(({ rule }) => rule);
}

describe('likely secrets in public formats', () => {
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

  it('are listed in docs/secrets.md (update it with `npx vitest -u`)', async () => {
    const text = await readFile(page, 'utf8');
    const filled = text
      .replace(/(<!-- issuers -->\n)[^]*?(\n<!-- end -->)/, (_, start, end) => `${start}\n${issuerTable()}\n${end}`)
      .replace(/(<!-- named -->\n)[^]*?(\n<!-- end -->)/, (_, start, end) => `${start}\n${namedTable()}\n${end}`);
    await expect(await formatMarkdown(filled)).toMatchFileSnapshot(page);
  });
});

function issuerTable(): string {
  const prefixes = new Map(issuerRules.map(({ name, prefixes }) => [name, prefixes]));
  const rows = issuerFormats.map((format) => {
    const rule = rulesIn(exampleOf(format, 1).text).join(', ');
    const all = prefixes.get(rule) ?? [];
    const starts = all.slice(0, 4).map((prefix) => `\`${prefix}\``);
    return `| ${format.name} | ${rule} | ${starts.join(' ')}${all.length > 4 ? ' …' : ''} | ${format.source} |`;
  });
  return ['| format | rule | begins with | source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function namedTable(): string {
  const rows = namedFormats.map((format) => {
    const left = redactText(exampleOf(format, 1).text).value.trim().split('\n').slice(1, -1).join(' ↵ ');
    return `| ${format.name} | \`${left.replaceAll('|', '\\|').replaceAll('`', "'")}\` | ${format.source} |`;
  });
  return ['| format | what is left | source |', '| --- | --- | --- |', ...rows].join('\n');
}
