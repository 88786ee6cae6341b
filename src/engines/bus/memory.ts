import type { Bus, EventOf, Events } from './index.ts'

/** One process talking to itself. A subscriber that throws is reported and does not keep the news from the others. */
export function createMemoryBus<E = Events>(onError: (error: unknown, event: EventOf<E>) => void): Bus<E> {
  const subscribers = new Set<{ matches: (type: string) => boolean; callback: (event: never) => void }>()
  return {
    publish(event) {
      for (const subscriber of [...subscribers]) {
        // One that another subscriber has just removed hears no more.
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
