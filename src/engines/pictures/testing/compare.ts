import { Resvg } from '@resvg/resvg-js'

interface Pixels {
  readonly width: number
  readonly height: number
  /** Red, green, blue and opacity of each. */
  readonly pixels: Uint8Array
}

/** How far a colour may be from the kept one, of 255, before a pixel counts as another. */
const FAR = 24

/** The pixels of a PNG: a picture that shows nothing but it. */
export function pixelsOf(png: Buffer): Pixels {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const shown = `<image width="${width}" height="${height}" href="data:image/png;base64,${png.toString('base64')}"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">${shown}</svg>`
  return { width, height, pixels: new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels }
}

/** The part of the pixels that are another colour, 0 to 1; pictures of another size have none in common. */
export function difference(one: Pixels, other: Pixels): number {
  if (one.width !== other.width || one.height !== other.height) return 1
  // Asked for once: each time it is a copy.
  const [a, b] = [one.pixels, other.pixels]
  let far = 0
  for (let at = 0; at < a.length; at += 4) {
    const isFar = [0, 1, 2, 3].some((i) => Math.abs((a[at + i] ?? 0) - (b[at + i] ?? 0)) > FAR)
    if (isFar) far++
  }
  return far / (one.width * one.height)
}
