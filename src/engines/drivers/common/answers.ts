import type { OutboundResponse } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import { parseJson } from './json.ts'

/** How long an answer may take. */
export const ANSWER_LIMIT_MS = 60_000
/** An answer is parsed as one text, so it must not be large. */
export const MAX_ANSWER_BYTES = 32 << 20
/** How much is shown of what a system says is wrong. */
export const MAX_TOLD = 300

export async function textOf(response: OutboundResponse): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const part of await unpacked(response)) parts.push(part)
  return decoded(parts)
}

/** The bytes of an answer; of one that came compressed, those that it is made of. */
export async function unpacked({ headers, body }: OutboundResponse): Promise<AsyncIterable<Uint8Array>> {
  if (headers['content-encoding'] !== 'gzip') return body
  const { gunzipped } = await import('./gzip.ts')
  return gunzipped(body, MAX_ANSWER_BYTES)
}

export const decoded = (parts: readonly Uint8Array[]): string => new TextDecoder().decode(Buffer.concat(parts))

/** What a text says as JSON; undefined where it is empty, and where it is none and no success either. */
export function bodyOf(
  { status }: Pick<OutboundResponse, 'status'>,
  text: string,
  pointer: string | undefined
): unknown {
  if (text === '') return undefined
  try {
    return parseJson(text)
  } catch {
    if (status >= 300) return undefined
    throw new SourceError('bad_request', 'It does not answer with JSON; check the address', pointer)
  }
}
