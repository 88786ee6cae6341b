// Writes down how wide each letter of the fonts of pictures is, in thousandths of the size, so that texts can be laid
// out without loading a font. To be run again when a font package changes.
import { readFileSync, writeFileSync } from 'node:fs'
import { fontFiles } from '../src/engines/pictures/maker/fonts.ts'

/** Whatever a label is likely to hold: Latin, Greek, Cyrillic, Hebrew, Arabic, marks, currencies, arrows, a few signs. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x370, 0x45f],
  [0x490, 0x4ff],
  [0x5d0, 0x5ea],
  [0x60c, 0x64a],
  [0x660, 0x6d3],
  [0x1e00, 0x1eff],
  [0x2000, 0x203a],
  [0x20a0, 0x20bf],
  [0x2190, 0x2199],
  [0x2200, 0x2265]
]
const [regular = '', bold = '', ...others] = fontFiles()
const FONTS: Readonly<Record<string, readonly string[]>> = {
  regular: [regular, ...others],
  bold: [bold, ...others]
}

interface Font {
  /** Undefined where the font has no such letter. */
  widthOf(code: number): number | undefined
}

function readFont(path: string): Font {
  const bytes = readFileSync(path)
  const tables = new Map<string, number>()
  for (let i = 0; i < bytes.readUInt16BE(4); i++) {
    const at = 12 + i * 16
    tables.set(bytes.toString('latin1', at, at + 4), bytes.readUInt32BE(at + 8))
  }
  const table = (name: string) => tables.get(name) as number
  const unitsPerEm = bytes.readUInt16BE(table('head') + 18)
  const measured = bytes.readUInt16BE(table('hhea') + 34)
  const glyphs = readGlyphs(bytes, table('cmap'))
  return {
    widthOf(code) {
      const glyph = glyphs.get(code)
      if (glyph === undefined) return undefined
      const units = bytes.readUInt16BE(table('hmtx') + 4 * Math.min(glyph, measured - 1))
      return Math.round((units * 1000) / unitsPerEm)
    }
  }
}

/** The numbers of the glyphs of codes, from the table in the fourth format, which every font has. */
function readGlyphs(bytes: Buffer, cmap: number): Map<number, number> {
  const glyphs = new Map<number, number>()
  for (let i = 0; i < bytes.readUInt16BE(cmap + 2); i++) {
    const start = cmap + bytes.readUInt32BE(cmap + 4 + i * 8 + 4)
    if (bytes.readUInt16BE(start) !== 4) continue
    const doubled = bytes.readUInt16BE(start + 6)
    for (let segment = 0; segment < doubled; segment += 2) {
      const last = bytes.readUInt16BE(start + 14 + segment)
      const first = bytes.readUInt16BE(start + 16 + doubled + segment)
      const delta = bytes.readUInt16BE(start + 16 + 2 * doubled + segment)
      const place = start + 16 + 3 * doubled + segment
      const offset = bytes.readUInt16BE(place)
      for (let code = first; code <= last && code < 0xffff; code++) {
        const glyph = offset === 0 ? code : bytes.readUInt16BE(place + offset + 2 * (code - first))
        if (glyph !== 0) glyphs.set(code, (glyph + delta) & 0xffff)
      }
    }
  }
  return glyphs
}

/** The widths of a range one after the other; 0 stands for a letter that no font has. */
function widthsOf(paths: readonly string[]): [number, number[]][] {
  const fonts = paths.map(readFont)
  return RANGES.map(([first, last]) => [
    first,
    Array.from({ length: last - first + 1 }, (_, i) => {
      for (const font of fonts) {
        const width = font.widthOf(first + i)
        if (width !== undefined) return width
      }
      return 0
    })
  ])
}

const table = Object.fromEntries(Object.entries(FONTS).map(([weight, paths]) => [weight, widthsOf(paths)]))
const target = new URL('../src/engines/pictures/text/widths.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(table)}\n`)
console.log(`written to ${target.pathname}; npm run format makes it readable`)
