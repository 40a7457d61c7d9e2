const prefix = 'lineside.';

/** The IDs of the commands in our manifest, without the prefix `lineside.`. */
export function manifestCommands(manifest: unknown): string[] {
  const ids = contributed(manifest, 'commands', 'command').filter((id) => id.startsWith(prefix));
  return ids.map((id) => id.slice(prefix.length));
}

/** The titles of our commands, in VS Code's display language, by ID without the prefix `lineside.`. */
export function commandTitles(manifest: unknown): ReadonlyMap<string, string | undefined> {
  const titles = contributed(manifest, 'commands', 'title');
  return new Map(manifestCommands(manifest).map((name, index) => [name, titles[index]]));
}

/** The names of the language model tools in our manifest. */
export function manifestTools(manifest: unknown): string[] {
  return contributed(manifest, 'languageModelTools', 'name');
}

/** The texts in one field of each contribution of a kind. */
function contributed(manifest: unknown, kind: string, name: string): string[] {
  const list = field(field(manifest, 'contributes'), kind);
  const texts = Array.isArray(list) ? list.map((item: unknown) => field(item, name)) : [];
  return texts.filter((text) => typeof text === 'string');
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
