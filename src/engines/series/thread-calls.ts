import type { MessagePort, Worker } from 'node:worker_threads'
import { Channel, type ChannelMessage } from '../channel.ts'
import { SeriesError, type SeriesErrorCode } from './errors.ts'

interface SentFault {
  readonly code: SeriesErrorCode
  readonly message: string
  readonly facts: Record<string, unknown>
}

/** Calls methods that another thread serves. */
export type ThreadCaller<C extends object> = Channel<C, SentFault>

export function callThread<C extends object>(port: MessagePort | Worker): ThreadCaller<C> {
  return open<C>(port, {}, () => 'failed')
}

/** Answers calls from another thread. Errors arrive there as `SeriesError`s. */
export function serveCalls(port: MessagePort, calls: object, codeOf: (error: unknown) => SeriesErrorCode): void {
  open(port, calls, codeOf)
}

function open<C extends object>(
  port: MessagePort | Worker,
  serves: object,
  codeOf: (error: unknown) => SeriesErrorCode
): ThreadCaller<C> {
  const channel: ThreadCaller<C> = new Channel({
    post: (message, transfer) => port.postMessage(message, transfer),
    serves,
    faults: {
      toSent: (error) => {
        if (error instanceof SeriesError) return { code: error.code, message: error.message, facts: error.facts }
        return { code: codeOf(error), message: (error as Error).message, facts: {} }
      },
      toError: ({ code, message, facts }) => new SeriesError(code, message, facts)
    }
  })
  port.on('message', (message: ChannelMessage) => channel.hear(message))
  return channel
}
