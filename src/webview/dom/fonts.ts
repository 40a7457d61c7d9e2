import type { PageFonts } from '../../shared/protocol/pageMessages.ts';

/** Sets the page in the person's fonts for chats; what is absent is as the style sheet has it. */
export function wearFonts({ family, sizePx, codeFamily, codeSizePx }: PageFonts): void {
  setVariable('--deck-font-family', family);
  setVariable('--deck-font-size', sizePx === undefined ? undefined : `${sizePx}px`);
  setVariable('--deck-code-font-family', codeFamily);
  setVariable('--deck-code-font-size', codeSizePx === undefined ? undefined : `${codeSizePx}px`);
}

function setVariable(name: string, value: string | undefined): void {
  const { style } = document.documentElement;
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
