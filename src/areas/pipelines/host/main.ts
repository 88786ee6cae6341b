import type { ChannelMessage } from '../../../engines/channel.ts'
import { type Calls, openCalls } from '../protocol/channel.ts'
import { createHost } from './host.ts'

/** A process that runs pipelines for the server that started it, and ends with it. */

const calls: Calls<Record<string, (...args: unknown[]) => unknown>> = openCalls(
  (message) => process.send?.(message),
  createHost(<T>(method: string, ...args: unknown[]) => calls.call(method, ...args) as Promise<T>)
)
process.on('message', (message: ChannelMessage) => calls.hear(message))
// The server is gone, in whatever way: what is not committed counts for nothing, and another run goes on from there.
// `process.exit` would wait for statements that are under way, however long they take.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('SIGINT', () => {}) // meant for the server, which ends this process in order
process.on('SIGTERM', () => {})
