import type { Entry, StreamEntry } from '../entry.ts'

/** A stream with what is usual for its entry. */
export function streamOf(entry: Entry, name: string): StreamEntry | undefined {
  if (!Object.hasOwn(entry.streams, name)) return undefined
  return { ...entry.usual, ...entry.streams[name] }
}

export const isReadable = (stream: StreamEntry): boolean => stream.unreadable === undefined

/** A stream, its parent, the parent of that and so on; undefined where that goes round in a circle or leads nowhere. */
export function lineOf(entry: Entry, name: string): StreamEntry[] | undefined {
  const line: StreamEntry[] = []
  const seen = new Set<string>()
  for (let next: string | undefined = name; next !== undefined; ) {
    const stream: StreamEntry | undefined = seen.has(next) ? undefined : streamOf(entry, next)
    if (stream === undefined) return undefined
    seen.add(next)
    line.push(stream)
    next = stream.each !== undefined && 'stream' in stream.each ? stream.each.stream : undefined
  }
  return line
}

/** What `{parent.name}` can be in a stream: the names of its own `each` and of those of its parents. */
export function parentNames(line: readonly StreamEntry[]): Set<string> {
  return new Set(line.flatMap(({ each }) => (each === undefined ? [] : namesOf(each.as))))
}

const namesOf = (as: string | Readonly<Record<string, string>>) => (typeof as === 'string' ? [as] : Object.keys(as))
