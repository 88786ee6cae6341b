import { isUtf8 } from 'node:buffer'
import { SourceError } from '../errors.ts'
import type { Stream, StreamChunk, StreamColumn, StreamRead, StreamValue } from '../index.ts'

const MAX_ROWS = 10_000
const MAX_BYTES = 4 * 1024 * 1024
/** The last time that has a year of four digits. */
const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** What a message has, whichever system it comes from; null where that system has nothing of the kind. */
export interface QueueMessage {
  /** What tells it from the others of its stream, and what reading goes on by. */
  readonly id: string | null
  /** As `timeText` writes it. */
  readonly time: string | null
  /** The topic, subject or routing key that it was sent to. */
  readonly topic: string | null
  readonly key: string | null
  /** As JSON. */
  readonly headers: string | null
  /** Null for a message without one, which is not the same as an empty one. */
  readonly payload: Uint8Array | null
}

/** The one form of all messages. The payload is in `body` where it is UTF-8, and in `bytes` where it is not. */
const COLUMNS: readonly StreamColumn[] = [
  { name: 'id', type: 'text', nullable: true },
  { name: 'time', type: 'timestamptz', nullable: true },
  { name: 'topic', type: 'text', nullable: true },
  { name: 'key', type: 'text', nullable: true },
  { name: 'headers', type: 'json', nullable: true },
  { name: 'body', type: 'text', nullable: true },
  { name: 'bytes', type: 'blob', nullable: true }
]

/** A stream of messages, which can be read from where it ended only where each has an id. */
export function messageStream(name: string, hasIds: boolean): Stream {
  const ids = hasIds ? ['id'] : []
  return { name, kind: 'messages', isReadable: true, columns: COLUMNS, keys: ids, cursors: ids }
}

/** Where to go on; refuses any other column, because the order of messages is that of their ids. */
export function afterOf({ cursor }: StreamRead, hasIds = true): string | null {
  if (cursor === undefined) return null
  if (hasIds && cursor.column === 'id') return cursor.after
  const what = hasIds ? 'by the column id only' : 'from nowhere but its beginning'
  throw new SourceError('bad_request', `This stream can be read ${what}`)
}

/** A position that is none of this stream’s. */
export function badPosition(form: string): SourceError {
  return new SourceError('bad_request', `The position is none of this stream; it looks like ${form}`)
}

/** Messages that become one chunk. */
export class MessageChunk {
  #values: StreamValue[][] = COLUMNS.map(() => [])
  #rows = 0
  #bytes = 0

  get rows(): number {
    return this.#rows
  }

  get isFull(): boolean {
    return this.#rows >= MAX_ROWS || this.#bytes >= MAX_BYTES
  }

  add({ id, time, topic, key, headers, payload }: QueueMessage): void {
    const [body, bytes] = payload === null ? [null, null] : textOrBytes(payload)
    for (const [at, value] of [id, time, topic, key, headers, body, bytes].entries()) this.#values[at]?.push(value)
    this.#rows += 1
    this.#bytes += (payload?.length ?? 0) + (headers?.length ?? 0)
  }

  /** What was added, and empty after. */
  take(position: string | undefined): StreamChunk {
    const chunk = { columns: COLUMNS, values: this.#values, rows: this.#rows, position }
    this.#values = COLUMNS.map(() => [])
    this.#rows = 0
    this.#bytes = 0
    return chunk
  }
}

/** Bytes as text where they are UTF-8, else as they are. */
export function textOrBytes(bytes: Uint8Array): [text: string | null, bytes: Uint8Array | null] {
  return isUtf8(bytes) ? [textOf(bytes), null] : [null, bytes]
}

/** As a value of JSON: a text, or an object with what is no UTF-8 in base64. */
export function jsonValue(bytes: Uint8Array): string | { readonly base64: string } {
  return isUtf8(bytes) ? textOf(bytes) : { base64: Buffer.from(bytes).toString('base64') }
}

/** A name as text; bytes of one that is no UTF-8 are written `\xff`, as `redis-cli` does. */
export function nameText(bytes: Uint8Array): string {
  if (isUtf8(bytes)) return textOf(bytes)
  return Array.from(bytes, (byte) =>
    byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\x${byte.toString(16).padStart(2, '0')}`
  ).join('')
}

/** JSON of names and values in their order; a name that comes several times has a list of its values. */
export function jsonObject(pairs: readonly (readonly [name: string, value: unknown])[]): string {
  const byName = Map.groupBy(pairs, ([name]) => name)
  const members = Array.from(byName, ([name, those]) => {
    const values = those.map(([, value]) => value)
    return `${JSON.stringify(name)}:${JSON.stringify(values.length === 1 ? values[0] : values)}`
  })
  return `{${members.join(',')}}`
}

/** A moment as columns hold it; null for what is no time that they can hold. */
export function timeText(ms: number, micros = 0): string | null {
  if (!Number.isFinite(ms) || ms < 0 || ms > LAST_MS) return null
  const text = new Date(ms).toISOString()
  return `${text.slice(0, 10)} ${text.slice(11, 23)}${String(micros).padStart(3, '0')}`
}

const textOf = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString()
