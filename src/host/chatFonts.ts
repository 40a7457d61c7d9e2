import * as vscode from 'vscode';
import * as z from 'zod/mini';

const family = z.catch(z.optional(z.string().check(z.minLength(1), z.maxLength(300))), undefined);
const sizePx = z.catch(z.optional(z.number().check(z.minimum(6), z.maximum(100))), undefined);
const fontsSchema = z.object({ family, sizePx, codeFamily: family, codeSizePx: sizePx });

/** How the editor's own chat is set; what is absent is as in the rest of the editor. */
export interface ChatFonts {
  readonly family?: string;
  readonly sizePx?: number;
  readonly codeFamily?: string;
  readonly codeSizePx?: number;
}

/** Reads the editor's settings for chats: `chat.fontFamily`, `chat.fontSize` and the same of `chat.editor`. */
export function readChatFonts(): ChatFonts {
  const chat = vscode.workspace.getConfiguration('chat');
  const named = (name: string) => {
    const value = chat.get<unknown>(name);
    return value === 'default' ? undefined : value;
  };
  const fonts = fontsSchema.parse({
    family: named('fontFamily'),
    sizePx: named('fontSize'),
    codeFamily: named('editor.fontFamily'),
    codeSizePx: named('editor.fontSize'),
  });
  return {
    ...(fonts.family === undefined ? {} : { family: fonts.family }),
    ...(fonts.sizePx === undefined ? {} : { sizePx: fonts.sizePx }),
    ...(fonts.codeFamily === undefined ? {} : { codeFamily: fonts.codeFamily }),
    ...(fonts.codeSizePx === undefined ? {} : { codeSizePx: fonts.codeSizePx }),
  };
}
