const CANDIDATES = [',', ';', '\t', '|']
const MAX_LINES = 200

/** The delimiter that divides most of the first lines into equally many fields, at least two; a comma where none does. */
export function findDelimiter(begin: string, quote: string, decimal: string | undefined): string {
  const all = begin.split(/\r?\n/)
  const lines = (all.length > 1 ? all.slice(0, -1) : all).filter((line) => line !== '').slice(0, MAX_LINES)
  let best = { delimiter: ',', score: 0 }
  for (const delimiter of CANDIDATES) {
    if (delimiter === decimal || delimiter === quote) continue
    const score = scoreOf(lines, delimiter, quote)
    if (score > best.score) best = { delimiter, score }
  }
  return best.delimiter
}

/** How many lines have the most frequent number of delimiters; where that is so for two, more fields decide. */
function scoreOf(lines: readonly string[], delimiter: string, quote: string): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const count = delimitersIn(line, delimiter, quote)
    if (count > 0) counts.set(count, (counts.get(count) ?? 0) + 1)
  }
  let score = 0
  for (const [count, times] of counts) score = Math.max(score, times + count / 1e6)
  return score
}

function delimitersIn(line: string, delimiter: string, quote: string): number {
  let count = 0
  let isQuoted = false
  for (const character of line) {
    if (character === quote) isQuoted = !isQuoted
    else if (character === delimiter && !isQuoted) count += 1
  }
  return count
}

/** The fields of one record as texts, quotes taken off. */
export function fieldsOf(record: string, delimiter: string, quote: string): string[] {
  const fields: string[] = []
  for (let at = 0; ; ) {
    const begin = delimiter === ' ' ? at : at + (/^ */.exec(record.slice(at, at + 100))?.[0].length ?? 0)
    if (quote !== '' && record[begin] === quote) {
      let field = ''
      let end = begin + 1
      for (;;) {
        const closing = record.indexOf(quote, end)
        if (closing === -1) return [...fields, field + record.slice(end)]
        field += record.slice(end, closing)
        end = closing + 1
        if (record[end] !== quote) break
        field += quote
        end += 1
      }
      fields.push(field)
      at = record.indexOf(delimiter, end)
    } else {
      const end = record.indexOf(delimiter, at)
      fields.push(end === -1 ? record.slice(at) : record.slice(at, end))
      at = end
    }
    if (at === -1) return fields
    at += delimiter.length
  }
}
