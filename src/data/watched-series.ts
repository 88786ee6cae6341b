import type { Series } from '../engines/series/index.ts'
import type { DataActivity } from './activity.ts'

/** The same engine, with its writes and queries counted. */
export function watchSeries(series: Series, activity: DataActivity): Series {
  const watched: Pick<Series, 'write' | 'query'> = {
    async write(request) {
      const written = await series.write(request)
      activity.wrote(written)
      return written
    },
    async query(query, signal) {
      const end = activity.asked('series')
      try {
        const answer = await series.query(query, signal)
        return { ...answer, body: reportingEnd(answer.body, end) }
      } catch (error) {
        end('failed')
        throw error
      }
    }
  }
  return new Proxy(series, {
    get(engine, name) {
      if (Object.hasOwn(watched, name)) return watched[name as keyof typeof watched]
      const value = Reflect.get(engine, name)
      return typeof value === 'function' ? value.bind(engine) : value
    }
  })
}

/** A reader that stops early counts as answered. */
async function* reportingEnd(
  body: AsyncIterable<Uint8Array>,
  end: (outcome: 'answered' | 'failed') => void
): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    end('failed')
    throw error
  } finally {
    end('answered')
  }
}
