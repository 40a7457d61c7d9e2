import * as z from 'zod/mini';
import { parseJson } from '../shared/json.ts';

const rulesSchema = z.array(z.unknown());
const ruleSchema = z.object({ key: z.optional(z.string()), command: z.string(), when: z.optional(z.string()) });

/** Key bindings in the format of `keybindings.json`, where a later rule has priority. */
export class KeyRules {
  readonly #keys = new Map<string, string[]>();

  /**
   * Adds the rules of a file, JSON with comments. A rule with `-` before its command removes the key or, without a key,
   * all keys of the command. Skips invalid rules.
   */
  add(text: string): void {
    const rules = rulesSchema.safeParse(parseJson(withoutComments(text)));
    for (const given of rules.data ?? []) {
      const rule = ruleSchema.safeParse(given);
      // VS Code writes `false` for a rule whose condition is never met here, such as a rule for other systems.
      if (rule.success && rule.data.when !== 'false') this.#addRule(rule.data);
    }
  }

  /** The key that VS Code shows for a command, for example `Ctrl+K A`; undefined if the command has no key. */
  keyOf(command: string): string | undefined {
    const key = this.#keys.get(command)?.at(-1);
    return key?.replace('page', 'page ').replace(/[a-z]+/g, (word) => word.charAt(0).toUpperCase() + word.slice(1));
  }

  #addRule({ key, command }: z.output<typeof ruleSchema>): void {
    const name = command.replace(/^-/, '');
    const others = (this.#keys.get(name) ?? []).filter((known) => key !== undefined && known !== key);
    this.#keys.set(name, command !== name || key === undefined ? others : [...others, key]);
  }
}

/** Removes the comments and trailing commas that aren't in strings. */
function withoutComments(text: string): string {
  const keep = (found: string, quoted?: string) => (quoted === undefined ? '' : found);
  return text
    .replace(/("(?:[^"\\]|\\.)*"?)|\/\/.*|\/\*[^]*?(?:\*\/|$)/g, keep)
    .replace(/("(?:[^"\\]|\\.)*"?)|,(?=\s*[\]}])/g, keep);
}
