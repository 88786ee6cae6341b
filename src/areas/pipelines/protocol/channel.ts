import { NodeFault } from '../contract/context.ts'

/** Calls between the server and a host, in both directions over one channel. */
export type Message =
  | { readonly id: number; readonly method: string; readonly args: readonly unknown[] }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly fault: SentFault }

interface SentFault {
  readonly kind: NodeFault['kind']
  readonly code: string
  readonly message: string
  readonly nodeId: string | undefined
}

type Handlers = Readonly<Record<string, (...args: never[]) => unknown>>

/** One end of the channel. */
export class Calls {
  readonly #send: (message: Message) => void
  readonly #handlers: Handlers
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>()
  #last = 0
  #closed: NodeFault | undefined

  constructor(send: (message: Message) => void, handlers: Handlers) {
    this.#send = send
    this.#handlers = handlers
  }

  call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    this.#last += 1
    const answer = Promise.withResolvers<unknown>()
    this.#waiting.set(this.#last, answer)
    this.#send({ id: this.#last, method, args })
    return answer.promise as Promise<T>
  }

  /** Takes a message from the other end; answers what that asks. */
  async receive(message: Message): Promise<void> {
    if ('method' in message) return this.#answer(message)
    const waiting = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    if ('fault' in message) waiting?.reject(toNodeFault(message.fault))
    else waiting?.resolve(message.result)
  }

  /** The other end is gone: whatever waits for it fails. */
  close(fault: NodeFault): void {
    this.#closed = fault
    for (const { reject } of this.#waiting.values()) reject(fault)
    this.#waiting.clear()
  }

  async #answer({ id, method, args }: Extract<Message, { method: string }>): Promise<void> {
    try {
      const handler = this.#handlers[method] as (...args: unknown[]) => unknown
      const result = await handler(...args)
      if (this.#closed === undefined) this.#send({ id, result })
    } catch (error) {
      if (this.#closed === undefined) this.#send({ id, fault: toSentFault(error) })
    }
  }
}

function toSentFault(error: unknown): SentFault {
  if (error instanceof NodeFault) {
    const { kind, code, message, nodeId } = error
    return { kind, code, message, nodeId }
  }
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'transient', code: 'unexpected', message, nodeId: undefined }
}

function toNodeFault({ kind, code, message, nodeId }: SentFault): NodeFault {
  const fault = new NodeFault(kind, code, message)
  fault.nodeId = nodeId
  return fault
}
