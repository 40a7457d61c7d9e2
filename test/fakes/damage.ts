import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** The kinds of damage to a file while a window is running. */
export const damages = ['removed', 'emptied', 'truncated', 'flipped'] as const;
export type Damage = (typeof damages)[number];

/**
 * Damages a file. `truncated` keeps three quarters of it; `flipped` adds a character to its first `text` field, if any.
 */
export async function damageFile(path: string, damage: Damage): Promise<void> {
  if (damage === 'removed') {
    await rm(path);
    return;
  }
  const content = await readFile(path, 'utf8');
  const flipped = content.replace('"text":"', '"text":"~');
  const damaged = { emptied: '', truncated: content.slice(0, Math.ceil(content.length * 0.75)), flipped };
  await writeFile(path, damaged[damage]);
}

/** Replaces a file in one step, as another window does. */
export async function replaceFile(path: string, content: string): Promise<void> {
  await writeFile(`${path}.replacement`, content);
  await rename(`${path}.replacement`, path);
}
