import type { PageFonts } from '../../shared/protocol/pageModel.ts';

/** Applies the fonts of the user's chat settings. Undefined values restore the style sheet's defaults. */
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
