import { Calls, type Message } from '../protocol/channel.ts'
import { createHost } from './host.ts'

/** A process that runs pipelines for the server that started it, and ends with it. */

const calls: Calls = new Calls(
  (message) => process.send?.(message),
  createHost(<T>(method: string, ...args: unknown[]) => calls.call<T>(method, ...args))
)
process.on('message', (message: Message) => void calls.receive(message))
// The server is gone, in whatever way: what is not committed counts for nothing, and another run goes on from there.
// `process.exit` would wait for statements that are under way, however long they take.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.on('SIGINT', () => {}) // meant for the server, which ends this process in order
process.on('SIGTERM', () => {})
