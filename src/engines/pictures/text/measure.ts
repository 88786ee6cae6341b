import { MAX_LABEL_CHARS } from '../limits.ts'
import { cleanLine } from './clean.ts'
import widths from './widths.json' with { type: 'json' }

export type Weight = 'regular' | 'bold'

/** In thousandths of the size: for letters that the fonts of ours do not have. */
const OTHER_WIDTH = 700
const WIDE_WIDTH = 1000
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Extended_Pictographic}/u
const WITHOUT_WIDTH = /[\p{M}\p{Cf}]/u
const RIGHT_TO_LEFT = /^[^\p{L}]*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u
const RIGHT_TO_LEFT_MARK = '\u200f'

const tables = { regular: tableOf(widths.regular), bold: tableOf(widths.bold) }

function tableOf(ranges: readonly (number | readonly number[])[][]): ReadonlyMap<number, number> {
  const table = new Map<number, number>()
  for (const [first, list] of ranges as [number, number[]][]) {
    for (const [i, width] of list.entries()) if (width > 0) table.set(first + i, width)
  }
  return table
}

function letterWidth(letter: string, weight: Weight): number {
  const known = tables[weight].get(letter.codePointAt(0) as number)
  if (known !== undefined) return known
  if (WITHOUT_WIDTH.test(letter)) return 0
  return WIDE.test(letter) ? WIDE_WIDTH : OTHER_WIDTH
}

/** How wide a text is, in pixels, as the fonts of ours have it. */
export function textWidth(text: string, size: number, weight: Weight = 'regular'): number {
  let width = 0
  for (const letter of text) width += letterWidth(letter, weight)
  return (width * size) / 1000
}

/** The text, or as much of its beginning as fits, with … behind it. Nothing where not even that fits. */
export function cut(text: string, room: number, size: number, weight: Weight = 'regular'): string {
  const clean = cleanLine(text, MAX_LABEL_CHARS)
  if (textWidth(clean, size, weight) <= room) return clean
  const ellipsis = RIGHT_TO_LEFT.test(clean) ? `…${RIGHT_TO_LEFT_MARK}` : '…'
  let left = room - textWidth('…', size, weight)
  if (left < 0) return ''
  let kept = ''
  for (const letter of clean) {
    left -= (letterWidth(letter, weight) * size) / 1000
    if (left < 0) break
    kept += letter
  }
  return `${kept.trimEnd()}${ellipsis}`
}

/** The text in lines that fit, at most so many; what is left over is cut off the last one. */
export function wrap(text: string, room: number, size: number, most: number, weight: Weight = 'regular'): string[] {
  const words = cleanLine(text, MAX_LABEL_CHARS * most).split(/\s+/)
  const lines: string[] = []
  let line = ''
  for (const [i, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer, size, weight) <= room) {
      line = longer
      continue
    }
    if (lines.length + 1 >= most) {
      lines.push(cut([line, ...words.slice(i)].join(' ').trim(), room, size, weight))
      return lines
    }
    if (line !== '') lines.push(line)
    line = cut(word, room, size, weight)
  }
  if (line !== '') lines.push(line)
  return lines
}
