import type { Canvas } from '../charts/plot.ts'
import { MAX_TEXT_CHARS } from '../limits.ts'
import type { PanelPicture } from '../picture.ts'
import { label, line } from '../svg.ts'
import { cleanLines } from '../text/clean.ts'
import { textWidth, type Weight } from '../text/measure.ts'
import type { Theme } from '../theme.ts'

const SIZE = 13
const HEADINGS = [20, 17, 15] as const
const MAX_LINES = 200

interface Word {
  readonly text: string
  readonly weight: Weight
}

interface Block {
  readonly size: number
  readonly words: readonly Word[]
  readonly indent: number
  /** Before the first line, such as a bullet. */
  readonly sign: string
  readonly isRule?: boolean
  /** Below it. */
  readonly gap: number
}

/** One line of a block, where it is to stand. */
interface Line {
  readonly block: Block
  readonly words: readonly Word[]
  readonly isFirst: boolean
  /** From the top to its upper and lower edge. */
  readonly from: number
  readonly to: number
}

/** Headings, lists, bold words and paragraphs; whatever else stands in the text is shown as it is written. */
export function text({ options }: PanelPicture, { box, theme }: Canvas): string | undefined {
  const source = options.text ?? ''
  if (source.trim() === '') return undefined
  const all = placedLines(blocksOf(cleanLines(source, MAX_TEXT_CHARS)), box.width)
  const fitting = all.filter(({ to }, i) => i === 0 || to <= box.height)
  return fitting
    .map((one, i) => {
      const { block, words, isFirst } = one
      const at = { x: box.x + block.indent, y: box.y + one.from + Math.round(block.size * 1.1) }
      if (block.isRule) return line(box.x, at.y - 7.5, box.x + box.width, at.y - 7.5, theme.border)
      const sign = isFirst ? label(at.x - 16, at.y, block.sign, { size: block.size, color: theme.muted }) : ''
      const isCut = i === fitting.length - 1 && fitting.length < all.length
      return sign + lineAt(isCut ? withDots(words, box.width - block.indent, block.size) : words, at, block.size, theme)
    })
    .join('')
}

function placedLines(blocks: readonly Block[], width: number): Line[] {
  const placed: Line[] = []
  let from = 0
  for (const block of blocks) {
    const height = Math.round(block.size * 1.5)
    const lines = block.isRule ? [[]] : linesOf(block, width - block.indent)
    for (const [i, words] of lines.entries()) {
      if (placed.length >= MAX_LINES) return placed
      placed.push({ block, words, isFirst: i === 0, from, to: from + height })
      from += height
    }
    from += block.gap
  }
  return placed
}

/** Shows that the text goes on. */
function withDots(words: readonly Word[], room: number, size: number): readonly Word[] {
  const widthOf = (list: readonly Word[]) =>
    list.reduce((sum, word) => sum + textWidth(`${word.text} `, size, word.weight), textWidth('…', size))
  let kept = words
  while (kept.length > 1 && widthOf(kept) > room) kept = kept.slice(0, -1)
  return kept.map((word, i) => (i === kept.length - 1 ? { ...word, text: `${word.text}…` } : word))
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = []
  let paragraph: string[] = []
  const end = () => {
    if (paragraph.length > 0)
      blocks.push({ size: SIZE, words: wordsOf(paragraph.join(' ')), indent: 0, sign: '', gap: 8 })
    paragraph = []
  }
  for (const written of lines) {
    const special = specialBlock(written)
    if (special === undefined && written.trim() !== '') {
      paragraph.push(written.trim())
      continue
    }
    end()
    if (special !== undefined) blocks.push(special)
    else if (blocks.at(-1)?.sign) blocks.push({ size: 0, words: [], indent: 0, sign: '', gap: 6 })
  }
  end()
  return blocks
}

/** A heading, an entry of a list or a rule. */
function specialBlock(written: string): Block | undefined {
  const heading = /^\s{0,3}(#{1,6})\s+(.*)$/.exec(written)
  if (heading !== null) {
    const size = HEADINGS[Math.min(2, (heading[1] as string).length - 1)] as number
    return {
      size,
      words: wordsOf(heading[2] as string).map((word) => ({ ...word, weight: 'bold' })),
      indent: 0,
      sign: '',
      gap: 5
    }
  }
  const entry = /^(\s*)([-*+]|\d{1,3}[.)])\s+(.*)$/.exec(written)
  if (entry !== null) {
    const [, spaces = '', mark = '', rest = ''] = entry
    const indent = 20 + Math.min(3, Math.floor(spaces.length / 2)) * 16
    return { size: SIZE, words: wordsOf(rest), indent, sign: /\d/.test(mark) ? mark : '•', gap: 2 }
  }
  if (/^\s*(-{3,}|\*{3,})\s*$/.test(written))
    return { size: SIZE, words: [], indent: 0, sign: '', gap: 0, isRule: true }
  return undefined
}

/** Bold words stand between two pairs of stars; of a link its words and its address are shown. */
function wordsOf(written: string): Word[] {
  const plain = written
    .replace(
      /!?\[([^\]]{0,500})\]\(([^()\s]{0,500})\)/g,
      (_, words: string, address: string) => `${words} (${address})`
    )
    .replaceAll('`', '')
  return plain.split('**').flatMap((part, i) => {
    const weight: Weight = i % 2 === 1 ? 'bold' : 'regular'
    return part
      .split(/\s+/)
      .filter((word) => word !== '')
      .map((word) => ({ text: word, weight }))
  })
}

/** Words in lines that fit; a word that is wider than a line is divided. */
function linesOf({ words, size }: Block, room: number): Word[][] {
  const lines: Word[][] = []
  let [current, left]: [Word[], number] = [[], room]
  for (const word of words.flatMap((one) => divided(one, room, size))) {
    const width = textWidth(`${word.text} `, size, word.weight)
    if (current.length > 0 && width - textWidth(' ', size, word.weight) > left) {
      lines.push(current)
      ;[current, left] = [[], room]
    }
    current.push(word)
    left -= width
  }
  if (current.length > 0) lines.push(current)
  return lines
}

function divided(word: Word, room: number, size: number): Word[] {
  if (textWidth(word.text, size, word.weight) <= room) return [word]
  const parts: Word[] = []
  let part = ''
  let left = room
  for (const letter of word.text) {
    const width = textWidth(letter, size, word.weight)
    if (width > left && part !== '') {
      parts.push({ ...word, text: part })
      ;[part, left] = ['', room]
    }
    part += letter
    left -= width
  }
  return [...parts, { ...word, text: part }]
}

/** Words of one weight beside each other are one text. */
function lineAt(words: readonly Word[], { x, y }: { x: number; y: number }, size: number, theme: Theme): string {
  let drawn = ''
  let at = x
  for (let start = 0; start < words.length; ) {
    const { weight } = words[start] as Word
    let end = start
    while (end < words.length && words[end]?.weight === weight) end++
    const run = words
      .slice(start, end)
      .map((word) => word.text)
      .join(' ')
    drawn += label(at, y, run, { size, color: theme.text, weight })
    at += textWidth(`${run} `, size, weight)
    start = end
  }
  return drawn
}
