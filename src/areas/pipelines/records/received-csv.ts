import { cut, type Sorted, sortJson } from './received.ts'

/** Lines of CSV as RFC 4180 has it: fields in double quotes may hold commas, line breaks and doubled quotes. */
export function parseCsv(text: string): string[][] {
  const lines: string[][] = []
  let fields: string[] = []
  let at = 0
  while (at < text.length) {
    const { field, end } = text[at] === '"' ? quotedField(text, at) : plainField(text, at)
    fields.push(field)
    at = end + 1
    if (text[end] === ',') {
      if (at === text.length) fields.push('')
      continue
    }
    if (text[end] === '\r' && text[at] === '\n') at += 1
    if (fields.length > 1 || fields[0] !== '') lines.push(fields)
    fields = []
  }
  if (fields.length > 0) lines.push(fields)
  return lines
}

interface Field {
  readonly field: string
  /** Where the comma or the line break after it is. */
  readonly end: number
}

const SEPARATOR = /[,\r\n]/g

function plainField(text: string, from: number): Field {
  SEPARATOR.lastIndex = from
  const end = SEPARATOR.exec(text)?.index ?? text.length
  return { field: text.slice(from, end), end }
}

function quotedField(text: string, from: number): Field {
  let field = ''
  for (let at = from + 1; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { field: field + text.slice(at), end: text.length }
    field += text.slice(at, quote)
    if (text[quote + 1] !== '"') {
      // What stands between the closing quote and the separator belongs to the field, as spreadsheets read it.
      const rest = plainField(text, quote + 1)
      return { field: field + rest.field, end: rest.end }
    }
    field += '"'
    at = quote + 2
  }
}

/** Fields of CSV are texts; those that are empty or missing are nothing. */
export function sortFields(names: readonly string[], fields: readonly string[], sorted: Sorted): void {
  if (fields.length > names.length) {
    const reason = `There are ${fields.length} fields for ${names.length} columns`
    sorted.rejected.push({ code: 'too_many_fields', reason, record: cut(JSON.stringify(fields)) })
  } else sortJson(Object.fromEntries(names.map((name, i) => [name, fields[i] === '' ? null : fields[i]])), sorted)
}
