/** A whole SVG as pixels, three to a CSS pixel. */
export async function pngOf(svg: string, { width, height }: { width: number; height: number }): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = width * 3;
    canvas.height = height * 3;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser gave no canvas to draw on; save the figure as SVG instead.');
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) =>
      canvas.toBlob((blob) =>
        blob ? resolve(blob) : reject(new Error('The PNG could not be made; save the figure as SVG instead.')),
      ),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Gives the browser a file to save. */
export function saveFile(
  name: string,
  content: Blob | string | Uint8Array<ArrayBuffer>,
  type = 'application/octet-stream',
): void {
  const blob = content instanceof Blob ? content : new Blob([content], { type });
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers begin to read only after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
