const prefix = 'lineside.';

/** The IDs of the commands in our manifest, without the prefix `lineside.`. */
export function manifestCommands(manifest: unknown): string[] {
  const commands = field(field(manifest, 'contributes'), 'commands');
  const ids = Array.isArray(commands) ? commands.map((command: unknown) => field(command, 'command')) : [];
  return ids.flatMap((id) => (typeof id === 'string' && id.startsWith(prefix) ? [id.slice(prefix.length)] : []));
}

function field(of: unknown, name: string): unknown {
  return typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
}
