import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SourceError } from '../errors.ts'

/** A text that came compressed, as long as it is not larger than said once it is not. */
export async function gunzipped(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const source = Readable.from(body)
  const plain = source.pipe(createGunzip())
  source.once('error', (error) => plain.destroy(error))
  const parts: Uint8Array[] = []
  let bytes = 0
  for await (const part of plain) {
    bytes += part.length
    if (bytes > maxBytes) throw new SourceError('bad_request', `An answer is larger than ${maxBytes} bytes`)
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
