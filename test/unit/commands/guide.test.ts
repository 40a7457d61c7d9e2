import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import * as z from 'zod/mini';
import { commandArguments, menuFields } from '../../../src/commands/commandArguments.ts';
import { root } from '../../../tools/l10n/sourceFiles.ts';

vi.mock('vscode', () => import('../../fakes/recordedEditor.ts'));

/** The table rows in the guide that begin with inline code: for each cell, the names that are in inline code. */
const rows = readFileSync(join(root, 'docs/guide.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split(' | ').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)));
const isField = ([names = []]: string[][]) => !Object.hasOwn(commandArguments, names[0] ?? '');

/** The fields that scripts can pass, by command. */
const fields = Object.entries(commandArguments).flatMap(([name, { shape }]) => {
  const own = Object.entries(shape).filter(([field]) => !Object.hasOwn(menuFields, field));
  return own.length === 0 ? [] : [{ name, own: new Map<string, z.ZodMiniType>(own) }];
});

it('the guide lists the commands that take fields, with exactly these fields', () => {
  const listed = rows.filter((row) => !isField(row)).flatMap(([names = [], own]) => names.map((name) => [name, own]));
  expect(listed.toSorted()).toEqual(fields.map(({ name, own }) => [name, [...own.keys()]]).toSorted());
});

it('the guide explains every field, with all values that it can have', () => {
  const schemas = new Map(fields.flatMap(({ own }) => [...own]));
  const explained = new Map(rows.filter(isField).map(([names = [], values]) => [names[0], values]));
  expect([...explained.keys()].toSorted()).toEqual([...schemas.keys()].toSorted());
  for (const [name, schema] of schemas) {
    const { enum: values = [] } = z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' });
    expect(explained.get(name), name).toEqual(expect.arrayContaining(values));
  }
});
