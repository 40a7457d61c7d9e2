const prefix = 'lineside.';

/** The IDs of the commands in our manifest, without the prefix `lineside.`. */
export function manifestCommands(manifest: unknown): string[] {
  return [...commandTitles(manifest).keys()];
}

/** The titles of our commands, in VS Code's display language, by ID without the prefix `lineside.`. */
export function commandTitles(manifest: unknown): ReadonlyMap<string, string | undefined> {
  const titles = new Map<string, string | undefined>();
  for (const contribution of contributions(manifest, 'commands')) {
    const [id, title] = [textIn(contribution, 'command'), textIn(contribution, 'title')];
    if (id?.startsWith(prefix) === true) titles.set(id.slice(prefix.length), title);
  }
  return titles;
}

/** The names of the language model tools in our manifest. */
export function manifestTools(manifest: unknown): string[] {
  return contributions(manifest, 'languageModelTools').flatMap((tool) => textIn(tool, 'name') ?? []);
}

function contributions(manifest: unknown, kind: string): readonly unknown[] {
  const list = field(field(manifest, 'contributes'), kind);
  return Array.isArray(list) ? list : [];
}

function textIn(of: unknown, name: string): string | undefined {
  const text = field(of, name);
  return typeof text === 'string' ? text : undefined;
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
