import { SourceError } from '../../errors.ts'
import type { StreamChunk, StreamRead } from '../../index.ts'
import { afterOf, jsonObject, jsonValue, MessageChunk, nameText, type QueueMessage, timeText } from '../messages.ts'
import type { Redis } from './connection.ts'
import { idAfter, msOf } from './ids.ts'

/** Entries of one call; they may be large, and all of them are held at once. */
const ENTRIES = 1000
const FIRST = '-'

type Entry = readonly [id: Buffer, fields: readonly Buffer[]]

/** The entries of a stream up to the last that is there now. */
export async function* readEntries(redis: Redis, key: string, request: StreamRead): AsyncGenerator<StreamChunk> {
  const after = afterOf(request)
  let from = after === null ? FIRST : idAfter(after)
  if ((await redis.ask('TYPE', key)) !== 'stream') {
    throw new SourceError('not_found', 'There is no stream of this name; discover the streams again')
  }
  const [last] = (await redis.ask('XREVRANGE', key, '+', '-', 'COUNT', '1')) as readonly Entry[]
  if (last === undefined) return
  const end = last[0].toString()
  const chunk = new MessageChunk()
  let left = request.limit ?? Number.POSITIVE_INFINITY
  let id = ''
  while (left > 0 && from !== undefined) {
    const count = Math.min(ENTRIES, left)
    const entries = (await redis.ask('XRANGE', key, from, end, 'COUNT', String(count))) as readonly Entry[]
    for (const entry of entries) {
      id = entry[0].toString()
      chunk.add(toMessage(id, key, entry[1]))
    }
    left = entries.length < count ? 0 : left - count
    if (id !== '') from = idAfter(id)
    if (chunk.isFull) yield chunk.take(request.cursor && id)
  }
  if (chunk.rows > 0) yield chunk.take(request.cursor && id)
}

function toMessage(id: string, topic: string, fields: readonly Buffer[]): QueueMessage {
  const pairs = Array.from({ length: fields.length / 2 }, (_, i): [string, unknown] => [
    nameText(fields[2 * i] as Buffer),
    jsonValue(fields[2 * i + 1] as Buffer)
  ])
  const payload = Buffer.from(jsonObject(pairs))
  return { id, time: timeText(msOf(id)), topic, key: null, headers: null, payload }
}
