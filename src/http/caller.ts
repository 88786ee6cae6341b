import type { IncomingMessage } from 'node:http'

/** Whoever waits for an answer. */
export interface Caller {
  /** Aborts when the caller has gone. */
  readonly signal: AbortSignal
  /** To be called when nothing is waited for any more: the connection goes on with other requests. */
  release(): void
}

export function watchCaller({ socket }: IncomingMessage): Caller {
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  if (socket.destroyed) leave()
  else socket.once('close', leave)
  return { signal: leaving.signal, release: () => void socket.off('close', leave) }
}
