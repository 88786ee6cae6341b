import { Readable } from 'node:stream'
import { StoreError } from '../errors.ts'
import type { Span } from '../range.ts'

const MAX_ATTEMPTS = 3

export interface Resumption extends Span {
  readonly key: string
  /** Opens the same object again from `offset` to `end`; throws where it has changed. */
  reopen(offset: number): Promise<Readable>
}

/** A download that goes on where it stopped when its connection breaks. */
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
    // Destroys the source directly, because the generator may be waiting for a silent server.
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

/** Errors show up at the end of the iteration. */
function ignore(): void {}

/** Undefined at the end, and where the connection broke. */
async function nextOf(chunks: AsyncIterator<Buffer>): Promise<Buffer | undefined> {
  return chunks.next().then(
    ({ value }) => value,
    () => undefined
  )
}
