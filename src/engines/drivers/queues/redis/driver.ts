import { isUtf8 } from 'node:buffer'
import { SourceError } from '../../errors.ts'
import type { Discovered, Driver, Stream } from '../../index.ts'
import { messageStream } from '../messages.ts'
import { queuePlaces } from '../settings.ts'
import { type ListRequest, QueueSource } from '../source.ts'
import { redisSchema, redisSettings } from './config.ts'
import { connectRedis, type Redis } from './connection.ts'
import { readEntries } from './entries.ts'
import { toRedisError } from './errors.ts'
import { KEYS, keysLike, readKeys } from './keys.ts'

/** Before the name of a key that is a stream; the keys themselves are a stream without it. */
const STREAM = 'stream:'
/** Rounds of a thousand keys that are looked through for streams. */
const MOST_ROUNDS = 1000

export const redisDriver: Driver = {
  schemaFor: redisSchema,
  placesOf: (config, source) => queuePlaces(redisSettings(config, source)),
  async open(config, source, { outbound }) {
    const settings = redisSettings(config, source)
    const { pattern } = settings
    return new QueueSource({
      settings,
      outbound,
      connect: () => connectRedis(settings, outbound),
      close: (redis) => redis.close(),
      list: (redis, request) => list(redis, pattern, request),
      read(redis, request) {
        if (request.stream === KEYS.name) return readKeys(redis, pattern, request)
        if (request.stream.startsWith(STREAM)) return readEntries(redis, request.stream.slice(STREAM.length), request)
        throw new SourceError('not_found', `A stream is ${KEYS.name}, or ${STREAM} and the name of a key`)
      },
      toSourceError: (error) => toRedisError(error, settings)
    })
  }
}

async function list(redis: Redis, pattern: string, { limit }: ListRequest): Promise<Discovered> {
  const names = new Set<string>()
  let rounds = 0
  let isWhole = true
  for await (const keys of keysLike(redis, ['MATCH', pattern, 'TYPE', 'stream', 'COUNT', '1000'])) {
    // A name that is no text can't be asked for.
    for (const key of keys) if (isUtf8(key)) names.add(key.toString())
    rounds += 1
    isWhole = rounds < MOST_ROUNDS && names.size < limit
    if (!isWhole) break
  }
  const found = [...names].sort().map((name) => messageStream(`${STREAM}${name}`, true))
  const streams: Stream[] = [KEYS, ...found]
  return { streams: streams.slice(0, limit), isWhole: isWhole && streams.length <= limit }
}
