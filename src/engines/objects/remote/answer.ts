import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { StoreError } from '../errors.ts'
import { fromNetwork } from './network-errors.ts'

/** Listings of 1,000 long names are far smaller. */
const MAX_TEXT_BYTES = 32 * 1024 * 1024

/** The whole text of an answer: a page of a listing, or less. */
export async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > MAX_TEXT_BYTES) throw new StoreError('store_failed', 'The answer is far too large; check the address')
    }
  } catch (error) {
    throw fromNetwork(error) ?? error
  }
  return Buffer.concat(chunks).toString()
}

export function joinedHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
