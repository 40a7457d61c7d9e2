import type * as vscode from 'vscode';
import type { Disposables } from '../../shared/lifecycle.ts';
import { FileFinder } from '../../host/files/fileFinder.ts';
import type { AttachmentServices } from '../attachments/attachments.ts';
import { ComposeEditors } from './composeEditors.ts';
import { ComposerFocus } from './composerFocus.ts';
import { ComposerController } from './composerController.ts';
import { type ConfirmedFolders, Suggestions } from './suggestions.ts';

/** The parts of the composer that pages and commands use. */
export interface Composer {
  readonly controller: ComposerController;
  readonly suggestions: Suggestions;
  readonly composerFocus: ComposerFocus;
  readonly composeEditors: ComposeEditors;
}

/** Creates the composer of a window. */
export function createComposer(
  services: Pick<
    AttachmentServices,
    'store' | 'sessions' | 'drafts' | 'outbox' | 'attachments' | 'blobs' | 'lifecycle' | 'log' | 't'
  >,
  agentFiles: ConfirmedFolders,
  memento: vscode.Memento,
  own: Disposables,
): Composer {
  const controller = new ComposerController(services);
  return {
    controller,
    suggestions: new Suggestions(own.add(new FileFinder()), agentFiles, services.t),
    composerFocus: new ComposerFocus(),
    composeEditors: own.add(new ComposeEditors(services, controller, memento)),
  };
}
