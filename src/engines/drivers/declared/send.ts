import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound } from '../../outbound/index.ts'
import { ANSWER_LIMIT_MS, bodyOf, decoded, MAX_ANSWER_BYTES, unpacked } from '../common/answers.ts'
import { jsonText } from '../common/values.ts'
import { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'
import type { Answer, Outgoing, OutgoingBody } from './outgoing.ts'

const TOO_LARGE = `Its answer is larger than ${MAX_ANSWER_BYTES >> 20} MiB, which is more than is read at once; have it send smaller pages`

/**
 * Sends a request once, as it is, and answers whatever the status. The text is no result of a promise: one that was waited for
 * long keeps its result until the collector goes through all memory, which is rare, and pages are large.
 */
export async function send(outbound: Outbound, request: Outgoing, signal: AbortSignal): Promise<Answer> {
  signal.throwIfAborted()
  const { method, url, body } = request
  try {
    const response = await outbound.request(url.href, {
      method,
      headers: headersOf(request),
      ...(body !== undefined && { body: sentText(body) }),
      signal,
      timeoutMs: ANSWER_LIMIT_MS,
      maxResponseBytes: MAX_ANSWER_BYTES
    })
    const parts: Uint8Array[] = []
    for await (const part of await unpacked(response)) parts.push(part)
    const text = decoded(parts.splice(0))
    const { status, headers } = response
    return { status, headers, body: bodyOf(response, text, undefined), length: text.length }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundError)) throw error
    // It would be as large the next time.
    if (error.code === 'too_large') throw new SourceError('bad_request', TOO_LARGE)
    throw withoutPointer(fromOutbound(error))
  }
}

/** What is usual, unless the request says something else. */
function headersOf({ headers, body }: Outgoing): Record<string, string> {
  const all: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined) {
    all['content-type'] = 'json' in body ? 'application/json' : 'application/x-www-form-urlencoded'
  }
  for (const [name, value] of Object.entries(headers)) all[name.toLowerCase()] = value
  return all
}

function sentText(body: OutgoingBody): string {
  return 'json' in body ? (jsonText(body.json) ?? 'null') : new URLSearchParams(body.form).toString()
}

/** The configuration of an entry has no host, port or encryption to point at. */
const withoutPointer = ({ code, message }: SourceError) => new SourceError(code, message)
