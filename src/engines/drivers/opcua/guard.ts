import { SourceError } from '../errors.ts'

/** Where frames of the library lie, wherever its packages are. */
const OF_LIBRARY = /[\\/]node_modules[\\/]node-opcua/

const watching = new Set<(error: SourceError) => void>()
let isGuarded = false

/**
 * From now on, what the library throws in timers of its own fails the connections that are open, and not the process; which of them it was
 * about is not known, and all can be tried again. Whatever else nobody catches ends the process as before.
 */
export function guardProcess(): void {
  if (isGuarded) return
  isGuarded = true
  process.on('uncaughtException', (error) => {
    if (!OF_LIBRARY.test(error?.stack ?? '')) throw error
    const told = new SourceError(
      'unavailable',
      'The library for OPC UA failed while the connection was open; try again'
    )
    for (const fail of watching) fail(told)
  })
}

/** Has somebody told of such a failure, until what is answered is called. */
export function onFailure(fail: (error: SourceError) => void): () => void {
  watching.add(fail)
  return () => watching.delete(fail)
}
