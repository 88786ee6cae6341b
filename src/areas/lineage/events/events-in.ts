import { Problem } from '../../../errors.ts'
import { parseJson, parseJsonItems } from '../../../http/json-body.ts'

/**
 * The events of a body: one, an array, or one a line. A line that is no JSON, and an event that holds what no text can, is an
 * event that will be refused.
 */
export function eventsIn(body: Buffer, isLines: boolean): unknown[] {
  if (isLines) return linesOf(body).map(lineOf)
  if (body.length === 0)
    throw new Problem('malformed_json', { detail: 'The body is empty. Send an event, or an array of events.' })
  return parseJsonItems(body)
}

const LINE_FEED = 0x0a

function linesOf(body: Buffer): Buffer[] {
  const lines: Buffer[] = []
  let from = 0
  while (from < body.length) {
    const found = body.indexOf(LINE_FEED, from)
    const end = found < 0 ? body.length : found
    if (end > from) lines.push(body.subarray(from, end))
    from = end + 1
  }
  return lines
}

function lineOf(line: Buffer): unknown {
  try {
    return parseJson(line)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
