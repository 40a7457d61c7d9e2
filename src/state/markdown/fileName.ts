import { plainLine } from '../../shared/text.ts';

/** A title as a file's name, without its ending: nothing that a file system gives a meaning, never empty or a dot. */
export function fileNameOf(title: string): string {
  const name = plainLine(title, 80)
    .replace(/[\\/:*?"<>|\u2026]+/g, '-')
    .replace(/^[.\s-]+|[.\s-]+$/g, '');
  return name === '' ? 'session' : name;
}
