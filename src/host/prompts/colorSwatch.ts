import * as vscode from 'vscode';

/** A dot in a colour, as the icon of a row; `color` is `#rgb` or `#rrggbb`. */
export function colorSwatch(color: string): vscode.Uri {
  const dot = `<circle cx="8" cy="8" r="5" fill="${color}" stroke="#808080" stroke-width="1"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">${dot}</svg>`;
  return vscode.Uri.parse(`data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`, true);
}
