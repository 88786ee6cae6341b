import { Readable } from 'node:stream'
import { StoreError } from '../errors.ts'
import type { Span } from '../range.ts'

const MAX_ATTEMPTS = 3

export interface Resumption extends Span {
  readonly key: string
  /** The same object from here to `end`; throws where it is no longer the same. */
  reopen(offset: number): Promise<Readable>
}

/** A download that is taken up where it ended when its connection breaks off. */
export function resumable(first: Readable, { key, start, end, reopen }: Resumption): Readable {
  let source = first.on('error', ignore)
  async function* chunks(): AsyncGenerator<Buffer> {
    let offset = start
    for (let attempt = 1; ; attempt++) {
      const read: AsyncIterator<Buffer> = source.iterator()
      for (let chunk = await nextOf(read); chunk !== undefined; chunk = await nextOf(read)) {
        offset += chunk.length
        yield chunk
      }
      if (offset >= end || body.destroyed) return
      if (attempt === MAX_ATTEMPTS) throw brokenOff(key)
      source = (await reopen(offset)).on('error', ignore)
      if (body.destroyed) source.destroy()
    }
  }
  const rest = chunks()
  const body = new Readable({
    read() {
      rest.next().then(
        ({ value, done }) => body.push(done === true ? null : value),
        (error) => body.destroy(error)
      )
    },
    // Not by way of the generator, which may be waiting for a server that says nothing.
    destroy(error, done) {
      source.destroy()
      done(error)
    }
  })
  return body
}

export function brokenOff(key: string): StoreError {
  return new StoreError('store_failed', `The connection broke off again and again while ${key} was read; try again`)
}

/** Told by the end of what was read. */
function ignore(): void {}

/** Undefined at the end, and where the connection is gone. */
async function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  return chunks.next().then(
    ({ value }) => value,
    () => undefined
  )
}
