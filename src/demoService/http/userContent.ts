import { base64Start } from '../base64.ts';
import type { MessageBody } from './checks.ts';
import type { ContentBlock } from '../resources.ts';

/** What a submitted message (section 4.4) looks like when it is read again: its text, then its images, then its files. */
export function userContent(body: MessageBody): ContentBlock[] {
  const images = (body.images ?? []).map(({ data }): ContentBlock => {
    return { type: 'image', source: { type: 'base64', mediaType: imageMediaType(data), data } };
  });
  const files = (body.files ?? []).map((file, index): ContentBlock => {
    const mediaType = file.mediaType ?? 'application/octet-stream';
    return {
      type: 'document',
      name: file.name ?? file.path?.split('/').at(-1) ?? `file ${index + 1}`,
      mediaType,
      ...(file.path === undefined ? {} : { path: file.path }),
      source: { type: 'base64', mediaType, data: file.data },
    };
  });
  return [{ type: 'text', text: body.text }, ...images, ...files];
}

/** The media type of an image by its first bytes, as the request does not carry one. */
function imageMediaType(data: string): string {
  const start = base64Start(data, 12).toString('latin1');
  if (start.startsWith('\x89PNG')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('GIF8')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  return 'application/octet-stream';
}
