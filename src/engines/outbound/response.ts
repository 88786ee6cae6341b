import type { Dispatcher } from 'undici'
import type { Deadline } from './deadline.ts'
import { OutboundError, toOutboundError } from './errors.ts'

export interface OutboundResponse {
  /** As the other side sent it; a redirect is not followed, and `headers.location` says where it points. */
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The address that answered. */
  readonly address: string
  /**
   * The bytes as they arrive, to be read once, here or by `text` or `json`. Leaving the loop ends the call; a body that
   * nobody reads holds its connection until the time limit.
   */
  readonly body: AsyncIterable<Uint8Array>
  text(): Promise<string>
  json(): Promise<unknown>
  /**
   * Ends the call without reading: an answer that is there already leaves its connection to the next call, one that
   * goes on is cut off. It never fails.
   */
  discard(): Promise<void>
}

export interface Reading {
  readonly maxBytes: number
  readonly address: string
  readonly where: string
  readonly deadline: Deadline
}

export function toResponse(data: Dispatcher.ResponseData, reading: Reading): OutboundResponse {
  data.body.once('close', () => reading.deadline.end())
  // Time may run out while nobody reads, and an error that no one listens for would end the process.
  data.body.on('error', () => {})
  const body = readBounded(data.body, reading)
  const text = async () => {
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk)
    return new TextDecoder().decode(Buffer.concat(chunks))
  }
  const json = async () => {
    const content = await text()
    try {
      return JSON.parse(content) as unknown
    } catch {
      throw new OutboundError(
        'protocol',
        `The answer of ${reading.where} is not JSON; check the address and its headers`
      )
    }
  }
  return {
    status: data.statusCode,
    headers: data.headers,
    address: reading.address,
    body,
    text,
    json,
    discard: () => discard(data.body)
  }
}

function discard(body: Dispatcher.ResponseData['body']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (body.closed) resolve()
  body.once('close', resolve)
  // Has it flow: what ends by itself costs less than what is broken off.
  body.once('data', () => setImmediate(() => body.destroy()))
  return promise
}

async function* readBounded(body: AsyncIterable<Uint8Array>, reading: Reading): AsyncGenerator<Uint8Array, void, void> {
  const { maxBytes, where, deadline } = reading
  let bytes = 0
  try {
    for await (const chunk of body) {
      bytes += chunk.length
      if (bytes > maxBytes) {
        throw new OutboundError('too_large', `The answer of ${where} is larger than ${maxBytes} bytes; ask for less`)
      }
      yield chunk
    }
  } catch (error) {
    throw toOutboundError(deadline.signal.aborted ? deadline.signal.reason : error, where)
  }
}
