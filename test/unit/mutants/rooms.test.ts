import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { mutatedRooms } from '../../../tools/mutants/rooms.ts';

const root = join(import.meta.dirname, '../../..');
const files = ['src', 'test/unit', 'test/webview'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.ts')),
);

describe('the rooms of mutation runs', () => {
  it.each(mutatedRooms.map(({ name, sources, tests }) => [name, [...sources, ...tests]] as const))(
    'have only paths that exist: %s',
    (_name, prefixes) => {
      expect(prefixes.filter((prefix) => !files.some((path) => path.startsWith(prefix)))).toEqual([]);
    },
  );

  it('contain everything in shared/text', () => {
    const sources = mutatedRooms.flatMap((room) => room.sources);
    const texts = files.filter((path) => path.startsWith('src/shared/text/'));
    expect(texts.filter((path) => !sources.some((source) => path.startsWith(source)))).toEqual([]);
  });
});
