import type { Announcer } from '../dom/announcer.ts';
import type { HostChannel } from '../hostChannel.ts';
import type { Words } from '../strings.ts';
import type { CodeActions, DrawTools } from './renderContext.ts';

/** What can be done with code; the host does it. */
export function codeActions({ post }: HostChannel, announcer: Announcer, words: Words): CodeActions {
  return {
    copy: (text) => {
      post({ type: 'copy', text });
      announcer.announce(words.say('copied'));
    },
    insert: (text) => post({ type: 'insertCode', text }),
    openInNewFile: (text, language) =>
      post({ type: 'newFile', text, ...(language === undefined ? {} : { language: language.slice(0, 100) }) }),
  };
}

/** What can be done with pictures and files of a message. */
export function fileActions({ post }: HostChannel): DrawTools['files'] {
  return {
    openPicture: (part) => post({ type: 'openPicture', ...part }),
    save: (part) => post({ type: 'saveFile', ...part }),
  };
}
