import { expect, it } from 'vitest';
import { fieldNames, headerVersion, sameHeader } from '../../../../src/state/store/messageHeader.ts';
import { headerOf } from '../samples.ts';

const differentOf = { number: 99, string: 'other', boolean: true, undefined: 'final' } as const;

it.each(fieldNames)('a header with a different %s is not equal and has a different version', (name) => {
  const header = headerOf('m1');
  const value = header[name];
  const other = typeof value === 'boolean' ? !value : differentOf[typeof value as keyof typeof differentOf];
  const changed = { ...header, [name]: other };
  expect(sameHeader(header, { ...header })).toBe(true);
  expect(sameHeader(header, changed)).toBe(false);
  expect(headerVersion(changed)).not.toBe(headerVersion(header));
});
