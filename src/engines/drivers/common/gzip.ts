import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { SourceError } from '../errors.ts'

/** What came compressed, as long as it is not larger than said once it is not. */
export async function* gunzipped(body: AsyncIterable<Uint8Array>, maxBytes: number): AsyncGenerator<Uint8Array> {
  const source = Readable.from(body)
  const plain = source.pipe(createGunzip())
  source.once('error', (error) => plain.destroy(error))
  let bytes = 0
  for await (const part of plain) {
    bytes += part.length
    if (bytes > maxBytes) throw new SourceError('bad_request', `An answer is larger than ${maxBytes} bytes`)
    yield part
  }
}
