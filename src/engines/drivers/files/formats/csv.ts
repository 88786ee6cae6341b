import { type FieldColumn, freeName } from '../fields.ts'
import { joined, recordAt } from './csv-record.ts'
import { type Block, BlockMaker, type FileFormat, type FileInput, withoutPlace } from './format.ts'
import { type Line, linesOf } from './lines.ts'

const DELIMITERS = [',', ';', '\t', '|']

/** Text with a header. All values are text, as they stand in the file: what they mean is not written there. */
export const csv: FileFormat = {
  async fieldsOf(file) {
    for await (const { header } of recordsOf(file)) return header.map((name) => ({ name, type: 'text' }))
    return []
  },

  async *blocks(file, columns, after) {
    for await (const { header, records } of recordsOf(file)) {
      const block = blockOf(records, targetsOf(header, columns), columns.length, after)
      if (block.rows.length > 0) yield block
    }
  }
}

interface Records {
  readonly header: readonly string[]
  readonly records: readonly Numbered[]
}

interface Numbered {
  readonly row: number
  readonly fields: readonly (string | null)[]
  readonly odd: string | null
}

/** The records of some lines at a time, the first time those of the header alone. */
async function* recordsOf(file: FileInput): AsyncGenerator<Records> {
  let pending: Line[] = []
  let dialect: { delimiter: string; header: readonly string[] } | undefined
  const take = (isEnd: boolean): Records | undefined => {
    const records: Numbered[] = []
    let at = 0
    for (; at < pending.length; ) {
      const line = pending[at] as Line
      if (line.text.trim() === '') {
        at += 1
        continue
      }
      const delimiter = dialect?.delimiter ?? delimiterOf(line.text)
      const record = recordAt(pending, at, { delimiter, width: dialect?.header.length, isEnd })
      if (record === undefined) break
      at += record.lines
      if (dialect === undefined) dialect = { delimiter, header: namesOf(record.fields) }
      else records.push({ row: line.number, fields: record.fields, odd: record.odd })
    }
    pending = pending.slice(at)
    return dialect && { header: dialect.header, records }
  }
  for await (const lines of linesOf(file.bytes())) {
    pending = pending.length === 0 ? lines : [...pending, ...lines]
    const taken = take(false)
    if (taken !== undefined) yield taken
  }
  const last = take(true)
  if (last !== undefined) yield last
}

/** What separates the names in a header: of the usual signs the one that it has most of, outside of quotes. */
function delimiterOf(header: string): string {
  const bare = header.replaceAll(/"[^"]*"/g, '')
  const counts = DELIMITERS.map((sign) => bare.split(sign).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))] as string
}

/** Each name once, since columns of files are known by their names. */
function namesOf(fields: readonly (string | null)[]): string[] {
  const taken = new Set<string>()
  return fields.map((name, i) => freeName(name?.trim() || `column_${i + 1}`, taken))
}

interface Targets {
  /** For each field of the file, which column it is for; -1 where for none. */
  readonly columns: readonly number[]
  readonly odd: string | null
}

function targetsOf(header: readonly string[], columns: readonly FieldColumn[]): Targets {
  const places = new Map(columns.map(({ field }, i) => [field, i]))
  const unknown = header.filter((name) => !places.has(name))
  return {
    columns: header.map((name) => places.get(name) ?? -1),
    odd: withoutPlace(unknown)
  }
}

function blockOf(records: readonly Numbered[], targets: Targets, width: number, after: number): Block {
  const block = new BlockMaker(width)
  for (const { row, fields, odd } of records) {
    if (row <= after) continue
    const at = block.add(row, oddnessOf(odd, fields.length, targets))
    const known = Math.min(fields.length, targets.columns.length)
    for (let i = 0; i < known; i++) {
      const column = block.values[targets.columns[i] as number]
      if (column !== undefined) column[at] = fields[i] as string | null
    }
  }
  return block
}

function oddnessOf(odd: string | null, found: number, { columns, odd: unknown }: Targets): string | null {
  let all = odd
  if (found !== columns.length) all = joined(all, `${found} fields where the header has ${columns.length}`)
  return unknown === null ? all : joined(all, unknown)
}
