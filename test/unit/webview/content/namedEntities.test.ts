import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodeHTMLStrict } from '../../../../src/webview/content/namedEntities.ts';

describe('a named entity', () => {
  let parsed: string[];
  /** The text that the browser decodes each entity to. */
  const decoded: Readonly<Record<string, string>> = {
    '&rarr;': '→',
    '&SEMI;': ';',
    '&frac12;': '½',
    '&ampx;': '&x;',
    '&nosuch;': '&nosuch;',
  };
  beforeEach(() => {
    parsed = [];
    class Parser {
      parseFromString(text: string, type: string) {
        parsed.push(`${type} ${text}`);
        return { body: { textContent: decoded[text] } };
      }
    }
    vi.stubGlobal('DOMParser', Parser);
  });
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['&amp;', '&'],
    ['&lt;', '<'],
    ['&gt;', '>'],
    ['&quot;', '"'],
  ])('that is common needs no parser: %s', (entity, text) => {
    expect(decodeHTMLStrict(entity)).toBe(text);
    expect(parsed).toEqual([]);
  });

  it.each([
    ['&rarr;', '→'],
    ['&SEMI;', ';'],
    ['&frac12;', '½'],
    ['&ampx;', '&ampx;'],
    ['&nosuch;', '&nosuch;'],
  ])('is decoded by the browser, and stays as it is if it is unknown: %s', (entity, text) => {
    expect(decodeHTMLStrict(entity)).toBe(text);
    expect(parsed).toEqual([`text/html ${entity}`]);
  });

  it.each(['<b>&rarr;', '&rarr;<b>', '&rarr', '&1;', '&#62;', ''])(
    'is the only text that the browser parses: %j',
    (text) => {
      expect(decodeHTMLStrict(text)).toBe(text);
      expect(parsed).toEqual([]);
    },
  );
});
