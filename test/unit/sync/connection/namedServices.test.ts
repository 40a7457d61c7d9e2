import { describe, expect, it } from 'vitest';
import {
  freeName,
  readServices,
  renamedService,
  withServices,
  withoutService,
} from '../../../../src/sync/connection/namedServices.ts';

const a = { origin: 'https://a.test', baseUrl: 'https://a.test' };
const b = { origin: 'https://b.test', baseUrl: 'https://b.test/prefix' };

describe('the services in the setting', () => {
  it('are read independently, so that an invalid entry does not hide the others', () => {
    const setting = {
      Work: 'https://a.test/api/v0/',
      Plain: 'http://elsewhere.test',
      Number: 7,
      Null: null,
      Again: 'https://a.test/other',
      Home: 'https://b.test/prefix/',
    };
    expect(readServices(setting, '')).toEqual({
      services: [
        { ...a, name: 'Work' },
        { ...b, name: 'Home' },
      ],
      unusable: [
        { name: 'Plain', failure: 'insecure' },
        { name: 'Number', failure: 'wrongScheme' },
        { name: 'Null', failure: 'wrongScheme' },
        { name: 'Again', failure: 'sameOrigin' },
      ],
    });
  });

  it('include the service in use, named after its host if it has no name', () => {
    expect(readServices({}, 'https://a.test').services).toEqual([{ ...a, name: 'a.test' }]);
    expect(readServices({ Home: 'https://b.test/prefix' }, 'https://a.test').services.map(({ name }) => name)).toEqual([
      'a.test',
      'Home',
    ]);
    expect(readServices({ Work: 'https://a.test' }, 'https://a.test/elsewhere').services).toEqual([
      { ...a, name: 'Work' },
    ]);
    expect(readServices({}, 'nonsense').services).toEqual([]);
  });
});

describe('a change of the setting', () => {
  const setting = { Work: 'https://a.test', broken: 'x', Home: 'https://b.test' };

  it('keeps existing names and unusable entries', () => {
    expect(withServices(setting, [{ ...b, name: 'b.test' }])).toEqual({ ...setting, Home: b.baseUrl });
    expect(withServices({ broken: 'x' }, [{ ...b, name: 'b.test' }])).toEqual({ broken: 'x', 'b.test': b.baseUrl });
    expect(withoutService(setting, a)).toEqual({ broken: 'x', Home: 'https://b.test' });
  });

  it('renames a service without changing its position', () => {
    const renamed = renamedService(setting, a, 'Office');
    expect(Object.entries(renamed)).toEqual([
      ['Office', 'https://a.test'],
      ['broken', 'x'],
      ['Home', 'https://b.test'],
    ]);
    expect(renamedService({}, a, 'Office')).toEqual({ Office: 'https://a.test' });
    const twice = { Work: 'https://a.test', Again: 'https://a.test/v1' };
    expect(renamedService(twice, a, 'Office')).toEqual({ Office: 'https://a.test', Again: 'https://a.test/v1' });
  });

  it('removes every entry that is read as the service', () => {
    const entries = { Listed: ['https://a.test'], Home: 'https://b.test' };
    expect(readServices(entries, '').services).toMatchObject([{ ...a, name: 'Listed' }, { name: 'Home' }]);
    expect(withoutService(entries, a)).toEqual({ Home: 'https://b.test' });
  });

  it('finds an available name', () => {
    expect(freeName({}, a)).toBe('a.test');
    expect(freeName({ 'a.test': '', 'a.test (2)': '' }, a)).toBe('a.test (3)');
    expect(freeName({ 'a.test': 'https://c.test' }, a)).toBe('a.test (2)');
  });
});
