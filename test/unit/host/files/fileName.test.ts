import { expect, it } from 'vitest';
import { fileName } from '../../../../src/host/files/fileName.ts';

it.each([
  ['basket.ts', 'basket.ts'],
  ['basket.ts#L15-L20', 'basket-L15-L20.ts'],
  ['basket.test.ts#L3', 'basket.test-L3.ts'],
  ['Makefile#L1-L2', 'Makefile-L1-L2'],
  ['notes #L and more.md', 'notes #L and more.md'],
  ['../../etc/passwd', '_.._etc_passwd'],
  ['a\u202e\nb:c.txt', 'a__b_c.txt'],
  ['...', 'document'],
  ['', 'document'],
  ['x'.repeat(300), 'x'.repeat(120)],
  ['src\\basket.ts', 'src_basket.ts'],
  ['C:\\a\\b.ts', 'C__a_b.ts'],
  ['file.txt:stream', 'file.txt_stream'],
  ['CON', '_CON'],
  ['nul.txt', '_nul.txt'],
  ['Com1.ts#L3', 'Com1-L3.ts'],
  ['lpt¹', '_lpt¹'],
  ['console.log', 'console.log'],
  ['notes. . ', 'notes'],
  ['. .', 'document'],
  ['世'.repeat(100), '世'.repeat(80)],
  ['x'.repeat(119) + '🌱', 'x'.repeat(119)],
  ['x'.repeat(119) + ' y', 'x'.repeat(119)],
  ['half \ud83c', 'half _'],
  [`${'x'.repeat(300)}.json`, `${'x'.repeat(115)}.json`],
  [`${'x'.repeat(300)}.ts#L3`, `${'x'.repeat(117)}.ts`],
  [`${'世'.repeat(100)}.tar.gz`, `${'世'.repeat(79)}.gz`],
  [`${'x'.repeat(113)}🌱🌱.世界`, `${'x'.repeat(113)}🌱🌱.世界`],
  [`${'x'.repeat(114)}🌱🌱.世界`, `${'x'.repeat(114)}🌱.世界`],
  [`${'x'.repeat(300)}.no extension`, 'x'.repeat(120)],
])('a file named %j is offered as %j', (name, offered) => {
  expect(fileName(name)).toBe(offered);
});
