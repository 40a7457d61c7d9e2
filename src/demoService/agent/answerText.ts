import { base64SizeBytes } from '../../shared/text.ts';
import { base64Start } from '../base64.ts';
import type { ContentBlock, Message } from '../resources.ts';

const scriptedRemark =
  '_This agent is scripted, and its answers are samples. To work with your own agents, run Connect to Service... in the Command Palette._';
const quotedLines = 8;
const quotedBytes = 6_000;

/** The text of the message that ends a failed answer. */
export const failureText =
  'The model stopped answering before the work was done (upstream timeout). Nothing was changed. Send the message again to retry.';

/** The answer that ends the long task of the running session. */
export const longAnswerText = `The build runs on the new bundler now.

| step | before | after |
| --- | ---: | ---: |
| cold build | 41.8 s | 1.9 s |
| rebuild | 6.3 s | 0.2 s |
| bundle size | 612 kB | 548 kB |

- All **214 tests** pass, and the source maps point at the right lines.
- \`webpack.config.js\` and eleven development dependencies are gone.

Next I would move the *storybook* build; it still has its own configuration.`;

/**
 * An answer in Markdown: in the first turn that this demo runs in a session (`isFirst`), a remark about the demo; the
 * received attachments; and a prepared text.
 */
export function answerText(message: Message, prepared: string, isFirst: boolean): string {
  const received = message.content.filter((block) => block.type === 'image' || block.type === 'document');
  const opening = received.length === 0 ? [] : [`I received ${countOf(received.length)}:`, ...received.map(describe)];
  return [...(isFirst ? [scriptedRemark] : []), ...opening, prepared].join('\n\n');
}

function countOf(attachments: number): string {
  return attachments === 1 ? 'one attachment' : `${attachments} attachments`;
}

function describe(attachment: Extract<ContentBlock, { type: 'image' | 'document' }>): string {
  const { data, mediaType, parsedData } = attachment.source;
  const kindAndSize = `(${mediaType}, ${sizeText(base64SizeBytes(data))})`;
  if (attachment.type === 'image') return `- an image ${kindAndSize}`;
  const parsed = parsedData === undefined ? '' : ` with ${parsedData.length} characters of text`;
  const line = `- \`${attachment.name}\` ${kindAndSize}${parsed}`;
  const lines = firstLines(data);
  return lines === undefined ? line : `${line}, which begins\n\n${fenced(lines, languageOf(attachment.name))}`;
}

/** The first lines of a text file; undefined if the data isn't text. */
function firstLines(data: string): string | undefined {
  const start = base64Start(data, quotedBytes).toString('utf8');
  const lines = start.split(/\r?\n/).slice(0, quotedLines).join('\n');
  const isText = !lines.includes('\0') && !lines.slice(0, -3).includes('\ufffd');
  return isText ? lines.replace(/(?<![\ufffd\n])[\ufffd\n]+$/, '') : undefined;
}

/** Formats a code block whose fence is longer than any run of backticks in `code`. */
function fenced(code: string, language: string): string {
  const longest = Array.from(code.matchAll(/`+/g)).reduce((most, [run]) => Math.max(most, run.length), 2);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** The language of a code block, derived from a file name that may be followed by a line range such as `#L3-L9`. */
function languageOf(name: string): string {
  return /\.([a-z0-9]{1,10})(#|$)/i.exec(name)?.[1]?.toLowerCase() ?? '';
}

function sizeText(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} ${sizeBytes === 1 ? 'byte' : 'bytes'}`;
  return sizeBytes < 1e6 ? `${(sizeBytes / 1000).toFixed(1)} kB` : `${(sizeBytes / 1e6).toFixed(1)} MB`;
}
