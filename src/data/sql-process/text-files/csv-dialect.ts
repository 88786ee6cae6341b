import { type Beginning, beginningOf } from './beginning.ts'
import { type Marks, recordsOf, type Sample } from './csv-records.ts'
import { endsDiffer } from './rewritten.ts'

const DELIMITERS = [',', ';', '\t', '|']
/** A character that no text has, so that each line is one field. */
const NO_DELIMITER = '\u0001'
/** Of a delimiter with which the first line would be no header. */
const UNLIKELY = 0.8

/** A number, or a date with or without a time, as no column is called. */
const VALUE =
  /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$|^\s*\d{1,4}([-/.])\d{1,2}\3\d{1,4}([ T]\d{1,2}:\d{2}(:\d{2}(\.\d+)?)?)?(Z|[-+]\d{2}(:?\d{2})?)?\s*$/i

/** How a file of CSV is written, as most of its first records show. */
export interface Dialect extends Marks {
  /** Whether its first line has the names of columns. */
  readonly header: boolean
  /** Lines before the first row: a header, and a title before that. */
  readonly rowsFrom: number
  readonly names: readonly string[]
  /** Whether most rows have more fields than the header has names, so that nobody knows what lies under these. */
  readonly isShort: boolean
  /** Places of columns in which the first rows have a point. */
  readonly decimals: ReadonlySet<number>
  /** Fields in the longest of the first records. */
  readonly most: number
  /** Whether all of the file was looked at, and each record has a field for each name. */
  readonly isEven: boolean
  /** Whether some of the first lines end otherwise than others. */
  readonly endsDiffer: boolean
}

/**
 * DuckDB looks for a dialect in which all of the first lines have equally many fields, and one odd line makes it take another
 * delimiter, no quotation marks, or everything after a `#` for a comment, for the whole file. Undefined where there is no text.
 */
export async function dialectOf(file: string, told: string | undefined): Promise<Dialect | undefined> {
  const begin = await beginningOf(file)
  if (begin === undefined || begin.text.trim() === '') return undefined
  const layouts = (told === undefined ? DELIMITERS : [told]).map((delimiter) => layoutOf(begin.text, delimiter))
  const best = layouts.reduce((one, other) => (other.score > one.score ? other : one))
  if (best.usual > 1 || told !== undefined) return toDialect(begin, best)
  return toDialect(begin, layoutOf(begin.text, NO_DELIMITER))
}

/** How a text comes out with a delimiter. */
interface Layout {
  readonly marks: Marks
  readonly sample: Sample
  /** Fields that most records have. */
  readonly usual: number
  /** The record that is the header, if there is one, or else the first row. */
  readonly first: number
  /** The share of records with so many; where that is so for two delimiters, more fields decide. */
  readonly score: number
}

function layoutOf(text: string, delimiter: string): Layout {
  const { marks, sample } = marksOf(text, delimiter)
  const counts = sample.records.map(({ fields }) => fields.length)
  const times = new Map<number, number>()
  for (const count of counts) times.set(count, (times.get(count) ?? 0) + 1)
  const [usual = 1, most = 0] = [...times].sort(([a, x], [b, y]) => y - x || b - a)[0] ?? []
  const first = firstOf(sample, counts, usual)
  const share = usual < 2 ? 0 : most / counts.length
  return { marks, sample, usual, first, score: share * (first > 0 ? UNLIKELY : 1) + usual / 1e6 }
}

/** A title may stand before the header. What has a few fields less than the rows is a header that is too short. */
function firstOf({ records }: Sample, counts: readonly number[], usual: number): number {
  if (usual < 2) return 0
  const divided = counts.findIndex((count) => count > 1)
  const like = counts.indexOf(usual)
  const isTitle = (counts[divided] ?? 0) * 2 <= usual && records[like]?.fields.every(isName) === true
  return isTitle ? like : divided
}

/** The quotation marks are those with which the fewest fields are broken; where most are, they quote nothing. */
function marksOf(text: string, delimiter: string): { marks: Marks; sample: Sample } {
  const read = (quote: string, escaping: string) => {
    const marks = { delimiter, quote, escaping }
    return { marks, sample: recordsOf(text, marks) }
  }
  const usual = read('"', '"')
  const { quoted, broken } = usual.sample
  if (quoted === 0) {
    const single = read("'", "'")
    return single.sample.quoted > 0 && single.sample.broken === 0 ? single : usual
  }
  if (broken === 0) return usual
  const escaped = read('"', '\\')
  const best = escaped.sample.broken < broken ? escaped : usual
  return best.sample.broken * 2 > best.sample.quoted ? read('', '') : best
}

function toDialect({ text, isAll }: Beginning, { marks, sample, usual, first }: Layout): Dialect {
  const records = sample.records.slice(first)
  const [{ fields, line, end } = { fields: [], line: 0, end: 0 }] = records
  const header = fields.some(isName) || !fields.some((field) => VALUE.test(field))
  const rows = header ? records.slice(1) : records
  // A header that is shorter than the rows lacks names, unless all that is there more is nothing.
  const isShort = rows.some((row) => row.fields.slice(fields.length, usual).some((field) => field !== ''))
  const count = isShort ? usual : fields.length
  const names = namesOf(header ? fields : [], count)
  const decimals = new Set(names.keys().filter((at) => rows.some((row) => row.fields[at]?.includes('.'))))
  const most = Math.max(count, ...rows.map((row) => row.fields.length))
  const isEven = isAll && sample.isAll && sample.broken === 0 && rows.every((row) => row.fields.length === count)
  return {
    ...marks,
    header,
    rowsFrom: header ? end : line,
    names,
    isShort: header && isShort,
    decimals,
    most,
    isEven,
    endsDiffer: endsDiffer(text)
  }
}

const isName = (field: string): boolean => field.trim() !== '' && !VALUE.test(field)

/** As DuckDB gives them: what has no name is called by its place, and a name that is there already gets a number. */
export function namesOf(given: readonly string[], count: number): string[] {
  const known = new Set<string>()
  const times = new Map<string, number>()
  return Array.from({ length: count }, (_, place) => {
    const told = given[place]?.trim() ?? ''
    let name = told === '' ? `column${place}` : told
    while (known.has(name.toLowerCase())) {
      const time = (times.get(name.toLowerCase()) ?? 0) + 1
      times.set(name.toLowerCase(), time)
      name = `${name}_${time}`
    }
    known.add(name.toLowerCase())
    return name
  })
}
