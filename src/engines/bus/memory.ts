import type { Bus, EventOf, Events } from './index.ts'

/** A bus within one process. An error of a subscriber is reported, and the others still get the event. */
export function createMemoryBus<E = Events>(onError: (error: unknown, event: EventOf<E>) => void): Bus<E> {
  const subscribers = new Set<{ matches: (type: string) => boolean; callback: (event: never) => void }>()
  return {
    publish(event) {
      for (const subscriber of [...subscribers]) {
        // A subscriber that another one has just removed gets no more events.
        if (!subscriber.matches(event.type) || !subscribers.has(subscriber)) continue
        try {
          subscriber.callback(event as never)
        } catch (error) {
          onError(error, event)
        }
      }
    },
    subscribe(pattern, callback) {
      const prefix = pattern.endsWith('*') ? pattern.slice(0, -1) : undefined
      const matches = (type: string) => (prefix === undefined ? type === pattern : type.startsWith(prefix))
      const subscriber = { matches, callback }
      subscribers.add(subscriber)
      return () => subscribers.delete(subscriber)
    },
    async close() {
      subscribers.clear()
    }
  }
}
