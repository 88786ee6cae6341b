import type { SqlValue } from '../index.ts'

type Decode = (text: string) => SqlValue

const NULL = '\\N'
const ESCAPED: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

/** Lines of COPY's text format as columns: a tab between values, and a backslash before what would be taken for either. */
export function columnsOfLines(lines: readonly string[], decoders: readonly Decode[]): SqlValue[][] {
  const columns: SqlValue[][] = decoders.map(() => new Array<SqlValue>(lines.length))
  const last = decoders.length - 1
  for (let row = 0; row < lines.length; row++) {
    const line = lines[row] as string
    const hasEscapes = line.includes('\\')
    let from = 0
    for (let i = 0; i <= last; i++) {
      const to = i === last ? line.length : line.indexOf('\t', from)
      const text = line.slice(from, to)
      const column = columns[i] as SqlValue[]
      if (!hasEscapes) column[row] = (decoders[i] as Decode)(text)
      else column[row] = text === NULL ? null : (decoders[i] as Decode)(unescaped(text))
      from = to + 1
    }
  }
  return columns
}

/** The text of one value, of a line whose values have nothing that needs decoding. */
export function valueOfLine(line: string, index: number): string | null {
  const text = line.split('\t')[index] ?? NULL
  return text === NULL ? null : unescaped(text)
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  return text.replace(/\\(.)/gsu, (_, sign: string) => ESCAPED[sign] ?? sign)
}

const [BACKSLASH, LETTER_N, TAB, NEWLINE] = [92, 78, 9, 10]

/** Whether no value of the lines has an escape in it: every backslash is that of a field without a value. */
export function isPlain(lines: Uint8Array): boolean {
  for (let at = lines.indexOf(BACKSLASH); at >= 0; at = lines.indexOf(BACKSLASH, at + 2)) {
    const [before, after] = [at === 0 ? NEWLINE : lines[at - 1], lines[at + 2]]
    const isWhole = (before === TAB || before === NEWLINE) && (after === TAB || after === NEWLINE)
    if (lines[at + 1] !== LETTER_N || !isWhole) return false
  }
  return true
}
