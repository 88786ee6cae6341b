import { StringDecoder } from 'node:string_decoder'
import { faultsOf } from '../../../http/compilers.ts'
import { nodeKey, parseNode } from '../references.ts'
import { END, type End, LINES, type Line, type LineType } from './lines.ts'

/** The longest line: what one run says, and who says the same. */
const MAX_LINE_CHARS = 32 * 1024 * 1024

/** A line of a file, as far as it could be read. */
export type ReadLine =
  | { readonly number: number; readonly line: Line; readonly chars: number }
  | { readonly number: number; readonly end: End }
  | { readonly number: number; readonly problem: string }

/** Texts of lines with their numbers; one that is too long has none. */
export async function* textLines(
  pieces: AsyncIterable<Uint8Array>
): AsyncGenerator<{ number: number; text: string | undefined }> {
  const decoder = new StringDecoder('utf8')
  let [rest, number, isTooLong] = ['', 0, false]
  for await (const piece of pieces) {
    const parts = (rest + decoder.write(piece as Buffer)).split('\n')
    rest = parts.pop() as string
    for (const text of parts) {
      yield { number: ++number, text: isTooLong ? undefined : text }
      isTooLong = false
    }
    if (rest.length > MAX_LINE_CHARS) {
      isTooLong = true
      rest = ''
    }
  }
  rest += decoder.end()
  if (rest !== '' || isTooLong) yield { number: ++number, text: isTooLong ? undefined : rest }
}

export function readLine(number: number, text: string | undefined): ReadLine {
  if (text === undefined) return { number, problem: `is longer than ${MAX_LINE_CHARS} characters` }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { number, problem: 'is not JSON' }
  }
  const { type } = (value ?? {}) as { type?: unknown }
  if (type === 'end' && faultsOf(END, value).length === 0) return { number, end: value as End }
  if (typeof type !== 'string' || !Object.hasOwn(LINES, type)) {
    return { number, problem: `must have one of these as type: ${Object.keys(LINES).join(', ')}` }
  }
  const [fault] = faultsOf(LINES[type as LineType], value)
  if (fault !== undefined) return { number, problem: `${fault.pointer} ${fault.message}` }
  const problem = problemOf(value as Line)
  return problem === undefined ? { number, line: value as Line, chars: text.length } : { number, problem }
}

/** What a schema can't say. */
function problemOf(line: Line): string | undefined {
  const references =
    line.type === 'node' ? [line.reference] : 'job' in line ? [line.job] : 'from' in line ? [line.from, line.to] : []
  for (const reference of references) {
    const parsed = parseNode(reference)
    if ('problem' in parsed) return `names ${JSON.stringify(reference)}: a reference ${parsed.problem}`
    if ('job' in line && parsed.kind !== 'job') return `names ${JSON.stringify(reference)}, which is no job`
  }
  if (line.type === 'node' && line.key !== nodeKey(line.reference)) return 'has a key that is not that of its reference'
  if (line.type !== 'link' && 'how' in line && line.how === 'manual') return MANUAL
  if (line.type === 'past' && line.startedMs >= line.baseMs) return 'has a period that begins after baseMs'
  return undefined
}

const MANUAL = 'says what people have drawn: that has lines of the type link'
