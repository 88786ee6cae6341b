/**
 * What is told after it was committed, by its type in the past tense: `user.updated`. Whoever tells adds its own by
 * declaration merging, with what is said beside the type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who tell
export interface Events {}

export type EventType<E = Events> = keyof E & string

/** Something that happened. */
export type BusEvent<T extends EventType = EventType> = EventOf<Events, T>

export type EventOf<E, T extends EventType<E> = EventType<E>> = { [K in T]: { readonly type: K } & E[K] }[T]

/** A type, or the beginning of some before a star. */
export type Pattern<E = Events> = EventType<E> | `${Noun<EventType<E>>}.*` | '*'

type Noun<T extends string> = T extends `${infer N}.${string}` ? N : never

export type Matching<E, P extends string> = P extends `${infer Start}*`
  ? Extract<EventType<E>, `${Start}${string}`>
  : P & EventType<E>

/**
 * News between the parts of the platform, and between replicas when they share a broker. A subscriber that is away
 * misses what was said: work that must not be lost is a job, and an event only says that there is some.
 */
export interface Bus<E = Events> {
  publish(event: EventOf<E>): void
  /** Calls back for every event whose type is `pattern`, or starts with it where it ends in `*`. */
  subscribe<P extends Pattern<E>>(pattern: P, callback: (event: EventOf<E, Matching<E, P>>) => void): () => void
  close(): Promise<void>
}
