import { describe, expect, it } from 'vitest';
import { base64Of, imageUrl } from '../../../../src/webview/content/images.ts';

const starts = {
  png: '\x89PNG\r\n\x1a\n',
  jpeg: '\xff\xd8\xff',
  gif: 'GIF89a',
  webp: 'RIFF\x01\x02\x03\x04WEBP',
};
/** An image of 30 bytes with these first bytes. */
const bytesFrom = (start: string): string => btoa(start.padEnd(30, 'x'));

describe('the URL of an image', () => {
  it.each([...Object.entries(starts), ['gif', 'GIF87a']])('has the type of its first bytes: %s', (type, start) => {
    const base64 = bytesFrom(start);
    expect(imageUrl(base64)).toBe(`data:image/${type};base64,${base64}`);
  });

  it.each([
    ...Object.values(starts).map((start) => `x${start}`),
    ...Object.values(starts).map((start) => start.slice(0, -1)),
    ...Object.values(starts)
      .map((start) => start.padStart(12, 'x'))
      .filter((start) => !start.startsWith('RIFF')),
    'xxxxxxGIF87a',
    'GIF88a',
    'RIFFxxxxWAVE',
    'xxxxxxxxWEBP',
    'WEBPxxxxRIFF',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '',
  ])('does not exist if the first bytes are %j', (start) => expect(imageUrl(bytesFrom(start))).toBeUndefined());

  it.each([
    ['is too short', btoa(starts.jpeg)],
    ['contains other characters at the start', `"${bytesFrom(starts.png)}`],
    ['contains other characters', `${bytesFrom(starts.png)}"`],
    ['contains other characters before its end', `${bytesFrom(starts.png).slice(0, 20)}" x="${bytesFrom('x')}`],
    ['has too much padding', `${bytesFrom(starts.png)}===`],
    ['is empty', ''],
  ])('does not exist if the base64 text %s', (_what, base64) => expect(imageUrl(base64)).toBeUndefined());

  it('may have padding', () => {
    for (const length of [30, 31, 32])
      expect(imageUrl(btoa(starts.png.padEnd(length, 'x')))).toMatch(/^data:image\/png/);
  });

  it('exists up to a limit of its size', () => {
    const base64 = bytesFrom(starts.png).padEnd(10_000_000, 'A');
    expect(imageUrl(base64)).toHaveLength('data:image/png;base64,'.length + 10_000_000);
    expect(imageUrl(`${base64}A`)).toBeUndefined();
  });
});

describe('the base64 text of a URL', () => {
  it.each([
    ['data:image/png;base64,QUFB', 'QUFB'],
    ['DATA:IMAGE/X;BASE64,a,b', 'a,b'],
    ['data:image/png;base64,', ''],
    ['data:image/svg+xml;base64,QUFB', undefined],
    ['data:text/html;base64,QUFB', undefined],
    ['data:image/png,QUFB', undefined],
    ['https://example.com/?data:image/png;base64,QUFB', undefined],
  ])('of %j', (url, expected) => expect(base64Of(url)).toBe(expected));
});
