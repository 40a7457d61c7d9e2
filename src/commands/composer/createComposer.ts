import type * as vscode from 'vscode';
import type { Disposables } from '../../shared/lifecycle.ts';
import { FileFinder } from '../../host/files/fileFinder.ts';
import type { Services } from '../context.ts';
import { ComposeEditors } from './composeEditors.ts';
import { ComposerFocus } from './composerCommands.ts';
import { ComposerController, type ComposingParts } from './composer.ts';
import { Suggestions } from './suggestions.ts';

/** What pages and commands write messages with. */
export interface Composer {
  readonly composing: ComposerController;
  readonly suggestions: Suggestions;
  readonly composerFocus: ComposerFocus;
  readonly composeEditors: ComposeEditors;
}

/** Puts it together, once for the window. */
export function createComposer(
  parts: ComposingParts & Pick<Services, 'lifecycle'>,
  memento: vscode.Memento,
  own: Disposables,
): Composer {
  const composing = new ComposerController(parts);
  return {
    composing,
    suggestions: new Suggestions(own.add(new FileFinder()), parts.t),
    composerFocus: new ComposerFocus(),
    composeEditors: own.add(new ComposeEditors({ ...parts, composing, memento })),
  };
}
