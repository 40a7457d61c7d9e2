import { expect, it } from 'vitest';
import { summarizeMessage } from '../../../../src/state/store/messageHeader.ts';

const folderIn = (text: string, message = {}) =>
  summarizeMessage({
    ...{ id: 'm', role: 'user' as const, createdAt: 0, updatedAt: 0, content: [{ type: 'text' as const, text }] },
    ...message,
  }).workingFolder;

it.each([
  [
    '<environment_context>\n  <cwd>/home/agent/work/shop</cwd>\n  <shell>zsh</shell>\n</environment_context>',
    undefined,
  ],
  [
    'Fix it\n\n<environment_details>\n# Current Working Directory (/r/my (shop)) Files\na.ts\n</environment_details>',
    '/r/my (shop)',
  ],
  ['<environment_details>\n# Current Workspace Directory (c:/work/shop) Files\n</environment_details>', 'c:/work/shop'],
  ['<user_info>\nOS Version: linux\n\nWorkspace Path: /home/agent/shop\n</user_info>', '/home/agent/shop'],
  [
    "<session_context>\nMy operating system is: linux\nI'm currently working in the directory: /r\n</session_context>",
    '/r',
  ],
])('the folder in which the agent works is read in %j', (text, folder) => {
  expect(folderIn(text)).toBe(folder ?? '/home/agent/work/shop');
});

it('the folder is read only from text that the tooling added', () => {
  expect(folderIn('Why is <cwd>/r</cwd> wrong?')).toBeUndefined();
  expect(folderIn('Workspace Path: /r')).toBeUndefined();
  const context = '<environment_context><cwd>/r</cwd></environment_context>';
  expect(folderIn(context)).toBe('/r');
  expect(folderIn(context, { role: 'assistant' })).toBeUndefined();
  expect(folderIn(context, { userMessageSource: 'api' })).toBeUndefined();
});

it.each([`/${'r'.repeat(500)}`, '/r\u202E', '', '/<r>'])("ignores a folder that a header can't contain: %j", (path) => {
  const found = folderIn(`<environment_context><cwd>${path}</cwd></environment_context>`);
  expect(found).toBeUndefined();
});
