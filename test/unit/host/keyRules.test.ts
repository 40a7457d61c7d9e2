import { describe, expect, it } from 'vitest';
import { KeyRules } from '../../../src/host/keyRules.ts';

/** A list of default key bindings, as VS Code writes it. */
const defaults = `// Override key bindings by placing them into your key bindings file.
[
{ "key": "ctrl+alt+pagedown",     "command": "lineside.nextCodeBlock",
                                     "when": "lineside.isConversationFocused" },
{ "key": "f8", "command": "lineside.nextError" },
{ "key": "ctrl+down", "command": "lineside.focusMessageInput" },
{ "key": "ctrl+k i", "command": "lineside.focusMessageInput" }
]
// Here are other available commands:
// - lineside.refresh
`;

function rulesOf(...texts: readonly string[]): KeyRules {
  const rules = new KeyRules();
  for (const text of texts) rules.add(text);
  return rules;
}

describe('the key of a command', () => {
  it('is written as in menus, and the last rule has priority', () => {
    const rules = rulesOf(defaults);
    expect(rules.keyOf('lineside.nextCodeBlock')).toBe('Ctrl+Alt+Page Down');
    expect(rules.keyOf('lineside.nextError')).toBe('F8');
    expect(rules.keyOf('lineside.focusMessageInput')).toBe('Ctrl+K I');
    expect(rules.keyOf('lineside.refresh')).toBeUndefined();
  });

  it('is one that works where VS Code runs', () => {
    const both = `[
      { "key": "ctrl+k alt+c", "command": "lineside.addComment", "when": "lineside.isConversationFocused" },
      { "key": "ctrl+k ctrl+alt+c", "command": "lineside.addComment", "when": "false" }
    ]`;
    expect(rulesOf(both).keyOf('lineside.addComment')).toBe('Ctrl+K Alt+C');
  });

  it('is the one that the user chose', () => {
    const own = '[ // mine\n{ "key": "cmd+j", "command": "lineside.nextError", /* all of it */ },\n]';
    expect(rulesOf(defaults, own).keyOf('lineside.nextError')).toBe('Cmd+J');
  });

  it('is gone when the user removed it, one key or all of them', () => {
    const one = '[{ "key": "ctrl+k i", "command": "-lineside.focusMessageInput" }]';
    expect(rulesOf(defaults, one).keyOf('lineside.focusMessageInput')).toBe('Ctrl+Down');
    const all = '[{ "command": "-lineside.focusMessageInput" }]';
    expect(rulesOf(defaults, all).keyOf('lineside.focusMessageInput')).toBeUndefined();
  });

  it('stays if the file of the user is not valid, and invalid rules are skipped', () => {
    for (const text of ['', '{', '{}', '[1, { "key": 2, "command": "lineside.nextError" }, null]']) {
      expect(rulesOf(defaults, text).keyOf('lineside.nextError')).toBe('F8');
    }
  });

  it('may contain what looks like a comment', () => {
    const own = '[{ "key": "ctrl+/", "command": "lineside.nextError", "args": { "a": "// no, /* no */ ,]" } }]';
    expect(rulesOf(defaults, own).keyOf('lineside.nextError')).toBe('Ctrl+/');
  });
});
