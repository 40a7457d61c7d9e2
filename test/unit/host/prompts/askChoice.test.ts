import { beforeEach, expect, it, vi } from 'vitest';
import { askChoices } from '../../../../src/host/prompts/askChoice.ts';
import { person } from '../../../fakes/recordedEditor.ts';

vi.mock('vscode', () => import('../../../fakes/recordedEditor.ts'));

beforeEach(() => {
  person.types = undefined;
  person.toggles = [];
});

/** Asks for tools, of which `bash` is picked. */
function ask() {
  return askChoices<string>({
    title: 'Enabled Tools',
    placeholder: '',
    choices: ['bash', 'Grep'].map((value) => ({ label: value, value })),
    picked: ['bash'],
    typed: (text) => ({ label: text, value: text }),
  });
}

it.each([
  { types: ' my_tool', toggles: [], picked: ['bash', 'my_tool'] },
  { types: 'my_tool', toggles: ['my_tool'], picked: ['bash', 'my_tool'] },
  // The user selected another row instead, or looked for a row.
  { types: 'my_tool', toggles: ['bash'], picked: [] },
  { types: 'gre', toggles: [], picked: ['bash'] },
  { types: 'bash', toggles: [], picked: ['bash'] },
  { types: '', toggles: [], picked: ['bash'] },
])('adds an entered value on Enter if it matches no row ($types, $toggles)', async ({ types, toggles, picked }) => {
  person.types = types;
  person.toggles = toggles;
  expect(await ask()).toEqual({ kind: 'chosen', value: picked });
});
