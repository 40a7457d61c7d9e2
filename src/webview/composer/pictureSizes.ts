/** Models scale images down until the longer edge has this length, so larger images only cost more. */
const maxEdgePx = 1_568;
const jpegQuality = 0.85;
const thumbnailPx = 32;

/** The size of an image, its thumbnail, and the smaller version of it, if {@link sizePicture} has created one. */
export interface SizedPicture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly thumbnail: HTMLCanvasElement;
  readonly smaller?: { readonly blob: Blob; readonly longEdgePx: number; readonly extension: 'png' | 'jpg' };
}

/**
 * Reads an image. If it is larger than models need, creates a smaller version, provided that this has fewer bytes.
 * @throws DOMException if the file isn't an image; Error if the image can't be drawn or encoded.
 */
export async function sizePicture(file: Blob): Promise<SizedPicture> {
  const bitmap = await createImageBitmap(file);
  try {
    const { width: widthPx, height: heightPx } = bitmap;
    const thumbnail = draw(bitmap, thumbnailPx / Math.max(widthPx, heightPx));
    const sized = { widthPx, heightPx, thumbnail };
    if (Math.max(widthPx, heightPx) <= maxEdgePx) return sized;
    const smaller = await encode(draw(bitmap, maxEdgePx / Math.max(widthPx, heightPx)));
    return smaller.blob.size < file.size ? { ...sized, smaller: { ...smaller, longEdgePx: maxEdgePx } } : sized;
  } finally {
    bitmap.close();
  }
}

function draw(bitmap: ImageBitmap, scale: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d');
  if (!context) throw new Error('The canvas has no 2D context.');
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/** Encodes as PNG, which keeps text sharp, unless JPEG is less than half as large. */
async function encode(canvas: HTMLCanvasElement): Promise<{ blob: Blob; extension: 'png' | 'jpg' }> {
  const png = await toBlob(canvas, 'image/png');
  const context = canvas.getContext('2d');
  if (!context) return { blob: png, extension: 'png' };
  // JPEG has no transparency, so transparent areas become white.
  context.globalCompositeOperation = 'destination-over';
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  const jpeg = await toBlob(canvas, 'image/jpeg');
  return jpeg.size * 2 < png.size ? { blob: jpeg, extension: 'jpg' } : { blob: png, extension: 'png' };
}

function toBlob(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const take = (blob: Blob | null) => {
      if (blob) resolve(blob);
      else reject(new Error("The image can't be encoded."));
    };
    canvas.toBlob(take, type, jpegQuality);
  });
}
