/**
 * Events that are published after a commit, with types in the past tense: `user.updated`. Each publisher adds its own
 * by declaration merging, with the members beside the type.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled by those who tell
export interface Events {}

export type EventType<E = Events> = keyof E & string

/** Something that happened. */
export type BusEvent<T extends EventType = EventType> = EventOf<Events, T>

export type EventOf<E, T extends EventType<E> = EventType<E>> = { [K in T]: { readonly type: K } & E[K] }[T]

/** A type, or the beginning of some types before a star. */
export type Pattern<E = Events> = EventType<E> | `${Noun<EventType<E>>}.*` | '*'

type Noun<T extends string> = T extends `${infer N}.${string}` ? N : never

export type Matching<E, P extends string> = P extends `${infer Start}*`
  ? Extract<EventType<E>, `${Start}${string}`>
  : P & EventType<E>

/**
 * Events between the parts of the platform, and between replicas when they share a broker. A subscriber that is away
 * misses events: work that must not be lost is a job, and an event only says that there is some.
 */
export interface Bus<E = Events> {
  publish(event: EventOf<E>): void
  /** Calls back for every event whose type is `pattern`, or starts with it where it ends in `*`. */
  subscribe<P extends Pattern<E>>(pattern: P, callback: (event: EventOf<E, Matching<E, P>>) => void): () => void
  close(): Promise<void>
}
