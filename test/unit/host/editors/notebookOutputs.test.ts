import { describe, expect, it } from 'vitest';
import { outputsText } from '../../../../src/host/editors/notebookOutputs.ts';

const item = (mime: string, text: string) => ({ mime, data: new TextEncoder().encode(text) });
const output = (...items: ReturnType<typeof item>[]) => ({ items });
const printed = (text: string) => item('application/vnd.code.notebook.stdout', text);
const error = (value: unknown) => output(item('application/vnd.code.notebook.error', JSON.stringify(value)));

describe("the text of a notebook cell's outputs", () => {
  it('contains what was printed, results, and errors, in their order', () => {
    const outputs = [
      output(printed('one\n'), printed('two\n')),
      output(item('application/vnd.code.notebook.stderr', 'careful')),
      output(item('text/html', '<b>42</b>'), item('text/plain', '42')),
      error({ name: 'ValueError', message: 'no', stack: '\u001b[31mTraceback\u001b[0m: no' }),
      error({ name: 'ValueError', message: 'no' }),
    ];
    expect(outputsText(outputs)).toBe('one\ntwo\ncareful\n42\nTraceback: no\nValueError: no');
  });

  it('leaves out pictures and empty output', () => {
    expect(outputsText([])).toBeUndefined();
    expect(outputsText([output(item('image/png', 'x')), output(item('text/plain', ' \n'))])).toBeUndefined();
  });

  it('shows a damaged error as it is, and cuts long text', () => {
    expect(outputsText([output(item('application/vnd.code.notebook.error', 'broken'))])).toBe('broken');
    const long = outputsText([output(item('text/plain', 'x'.repeat(200_000)))]) ?? '';
    expect([long.length, long.endsWith('\n…')]).toEqual([100_002, true]);
  });

  it('cuts long text between two characters', () => {
    const start = 'x'.repeat(99_999);
    expect(outputsText([output(item('text/plain', `${start}🌱🌱`))])).toBe(`${start}\n…`);
  });
});
