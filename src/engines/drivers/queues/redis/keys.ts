import type { Stream, StreamChunk, StreamColumn, StreamRead, StreamValue } from '../../index.ts'
import { afterOf, jsonObject, jsonValue, nameText, textOrBytes, timeText } from '../messages.ts'
import type { Redis, Reply } from './connection.ts'
import { isOfOtherType } from './errors.ts'

const KEYS_OF_ROUND = '500'
/** What values of one chunk take on the server, about; and the most that one of them may. */
const CHUNK_BYTES = 4 * 1024 * 1024
const VALUE_BYTES = 8 * 1024 * 1024

const COLUMNS: readonly StreamColumn[] = [
  { name: 'key', type: 'text', nullable: false },
  { name: 'type', type: 'text', nullable: false },
  { name: 'expires', type: 'timestamptz', nullable: true },
  { name: 'size', type: 'bigint', nullable: true },
  { name: 'body', type: 'text', nullable: true },
  { name: 'bytes', type: 'blob', nullable: true }
]

/** The keys with their values, as one stream. */
export const KEYS: Stream = {
  name: 'keys',
  kind: 'keys',
  isReadable: true,
  columns: COLUMNS,
  keys: ['key'],
  cursors: []
}

interface Found {
  readonly key: Buffer
  readonly type: string
  readonly expires: string | null
  readonly bytes: number
}

/** All keys that match, in no order; a key that comes or goes meanwhile may be among them or not. */
export async function* readKeys(redis: Redis, pattern: string, request: StreamRead): AsyncGenerator<StreamChunk> {
  afterOf(request, false)
  let left = request.limit ?? Number.POSITIVE_INFINITY
  for await (const keys of keysLike(redis, ['MATCH', pattern, 'COUNT', KEYS_OF_ROUND])) {
    const found = (await look(redis, keys)).slice(0, left)
    left -= found.length
    for (const portion of portionsOf(found)) yield await chunkOf(redis, portion)
    if (left <= 0) return
  }
}

/** The keys of one round of `SCAN` after the other. */
export async function* keysLike(redis: Redis, options: readonly string[]): AsyncGenerator<readonly Buffer[]> {
  let cursor = '0'
  do {
    const [next, keys] = (await redis.ask('SCAN', cursor, ...options)) as [Buffer, readonly Buffer[]]
    cursor = next.toString()
    yield keys
  } while (cursor !== '0')
}

async function look(redis: Redis, keys: readonly Buffer[]): Promise<Found[]> {
  const [now, ...replies] = await redis.askAll([
    ['TIME'],
    ...keys.flatMap((key) => [
      ['TYPE', key],
      ['PTTL', key],
      ['MEMORY', 'USAGE', key]
    ])
  ])
  const nowMs = Number((good(now ?? null) as readonly Buffer[])[0]) * 1000
  return keys.flatMap((key, i) => {
    const [type, leftMs, bytes] = replies.slice(3 * i, 3 * i + 3).map(good)
    if (typeof type !== 'string' || type === 'none') return []
    const expires = Number(leftMs) < 0 ? null : timeText(nowMs + Number(leftMs))
    return [{ key, type, expires, bytes: Number(bytes ?? 0) }]
  })
}

/** Parts whose values can be held at once. */
function portionsOf(found: readonly Found[]): Found[][] {
  const portions: Found[][] = []
  let bytes = CHUNK_BYTES
  for (const one of found) {
    if (bytes >= CHUNK_BYTES) {
      portions.push([])
      bytes = 0
    }
    portions.at(-1)?.push(one)
    bytes += Math.min(one.bytes, VALUE_BYTES)
  }
  return portions
}

async function chunkOf(redis: Redis, found: readonly Found[]): Promise<StreamChunk> {
  const asked = found.map(({ key, type, bytes }) => (bytes > VALUE_BYTES ? undefined : COMMANDS[type]?.(key)))
  const replies = await redis.askAll(asked.filter((command) => command !== undefined))
  let at = 0
  const rows = found.map(({ key, type, expires, bytes }, i): StreamValue[] => {
    const reply = asked[i] === undefined ? null : (replies[at++] ?? null)
    return [nameText(key), type, expires, BigInt(bytes), ...valueIn(type, reply)]
  })
  const values = COLUMNS.map((_, column) => rows.map((row) => row[column] ?? null))
  return { columns: COLUMNS, values, rows: rows.length, position: undefined }
}

/** Other types, such as streams and those of modules, are listed without a value. */
const COMMANDS: Readonly<Record<string, (key: Buffer) => (string | Buffer)[]>> = {
  string: (key) => ['GET', key],
  hash: (key) => ['HGETALL', key],
  list: (key) => ['LRANGE', key, '0', '-1'],
  set: (key) => ['SMEMBERS', key],
  zset: (key) => ['ZRANGE', key, '0', '-1', 'WITHSCORES']
}

function valueIn(type: string, reply: Reply): [text: string | null, bytes: Uint8Array | null] {
  // The key has got a value of another type since it was looked at.
  if (isOfOtherType(reply)) return [null, null]
  const value = good(reply)
  if (value instanceof Buffer) return textOrBytes(value)
  if (!Array.isArray(value)) return [null, null]
  const members = value as readonly Buffer[]
  if (type === 'hash') {
    return [jsonObject(pairsOf(members).map(([name, one]) => [nameText(name), jsonValue(one)])), null]
  }
  if (type === 'zset') {
    const scored = pairsOf(members).map(([member, score]) => ({ member: jsonValue(member), score: scoreOf(score) }))
    return [JSON.stringify(scored), null]
  }
  return [JSON.stringify(members.map(jsonValue)), null]
}

const pairsOf = (flat: readonly Buffer[]) =>
  Array.from({ length: flat.length / 2 }, (_, i): [Buffer, Buffer] => [
    flat[2 * i] as Buffer,
    flat[2 * i + 1] as Buffer
  ])

/** A number, or `inf` and `-inf`, which are no numbers of JSON. */
function scoreOf(score: Buffer): number | string {
  const number = Number(score.toString())
  return Number.isFinite(number) ? number : score.toString()
}

function good(reply: Reply): Exclude<Reply, Error> {
  if (reply instanceof Error) throw reply
  return reply
}
