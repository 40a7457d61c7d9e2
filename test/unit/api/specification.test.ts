import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { messagePageSchema } from '../../../src/api/resources/message.ts';
import { sessionFields, settingFields, tokenUsageSchema } from '../../../src/api/resources/session.ts';
import { filterRoles, userMessageSources } from '../../../src/demoService/resources.ts';
import { root } from '../../../tools/l10n/sourceFiles.ts';

/** The sections of docs/specification.md, by number. */
const sections = new Map(
  readFileSync(join(root, 'docs/specification.md'), 'utf8')
    .split(/\n##+ (?=\d)/)
    .map((text) => [/^\d+(?:\.\d+)?/.exec(text)?.[0] ?? '', text]),
);
const sectionOf = (number: string) => sections.get(number) ?? expect.fail(`no section ${number}`);
/** The names in the first column of the table in a section. */
const fieldsOf = (number: string) =>
  [...sectionOf(number).matchAll(/^\| (`.+?`) +\|/gm)].flatMap(([, cell = '']) => namesIn(cell));
const namesIn = (text: string) => Array.from(text.matchAll(/`([^`]+)`/g), ([, name = '']) => name);

describe('docs/specification.md', () => {
  it.each([
    ['2.1', Object.keys(sessionFields.def.shape)],
    ['2.2', Object.keys(settingFields.def.shape)],
    ['4.4', ['text', 'images', 'files', 'computerId']],
  ])('has the fields of section %s', (number, names) => {
    expect(fieldsOf(number).toSorted()).toEqual(names.toSorted());
  });

  it('has the counters of token usage, and the fields of a page', () => {
    expect(namesIn(sectionOf('2.3'))).toEqual(Object.keys(tokenUsageSchema.def.shape));
    const { pagination } = messagePageSchema.def.shape;
    expect(namesIn(sectionOf('2.5'))).toEqual(expect.arrayContaining(Object.keys(pagination.def.shape)));
  });

  it('has the fields of a message', () => {
    // A test compares docs/fields.md with what the interface shows of a message.
    const page = readFileSync(join(root, 'docs/fields.md'), 'utf8');
    const [, table = ''] = /\n## Message\n([^]*?)\n## /.exec(page) ?? [];
    const names = [...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name = '']) => name);
    expect(names.length).toBeGreaterThan(15);
    expect(fieldsOf('2.4').toSorted()).toEqual(names.toSorted());
  });

  it('has the sources of a message of the user, and the roles by which a list can be filtered', () => {
    expect(namesIn(sectionOf('2.4'))).toEqual(expect.arrayContaining([...userMessageSources]));
    expect(sectionOf('4.3')).toContain(
      filterRoles
        .map((role) => `\`${role}\``)
        .join(', ')
        .replace(/, (?=[^,]*$)/, ', or '),
    );
  });
});
