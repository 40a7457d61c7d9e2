import type { PageFonts } from '../../shared/protocol/pageModel.ts';

/** Sets the page in the person's fonts for chats; what is absent is as the style sheet has it. */
export function applyFonts({ family, sizePx, codeFamily, codeSizePx }: PageFonts): void {
  setVariable('--lineside-font-family', family);
  setVariable('--lineside-font-size', sizePx === undefined ? undefined : `${sizePx}px`);
  setVariable('--lineside-code-font-family', codeFamily);
  setVariable('--lineside-code-font-size', codeSizePx === undefined ? undefined : `${codeSizePx}px`);
}

function setVariable(name: string, value: string | undefined): void {
  const { style } = document.documentElement;
  if (value === undefined) style.removeProperty(name);
  else style.setProperty(name, value);
}
