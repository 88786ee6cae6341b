/** Something that happened, told after it was committed. */
export interface BusEvent {
  /** What, in the past tense: `user.updated`. */
  readonly type: string
  readonly [field: string]: unknown
}

/**
 * News between the parts of the platform, and between replicas when they share a broker. A subscriber that is away
 * misses what was said: work that must not be lost is a job, and an event only says that there is some.
 */
export interface Bus {
  publish(event: BusEvent): void
  /** Calls back for every event whose type is `pattern`, or starts with it where it ends in `*`. */
  subscribe(pattern: string, callback: (event: BusEvent) => void): () => void
  close(): Promise<void>
}
