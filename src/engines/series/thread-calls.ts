import type { MessagePort, Transferable, Worker } from 'node:worker_threads'
import { SeriesError, type SeriesErrorCode } from './errors.ts'

type Calls = Record<keyof never, (argument: never) => unknown>

interface Asked {
  readonly id: number
  readonly name: string
  readonly argument: unknown
}

interface Answered {
  readonly id: number
  readonly value?: unknown
  readonly error?: { readonly code: SeriesErrorCode; readonly message: string; readonly facts: Record<string, unknown> }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

/** Calls what another thread serves. */
export class ThreadCaller<C extends object> {
  readonly #port: Pick<MessagePort | Worker, 'postMessage'>
  readonly #waiting = new Map<number, Waiting>()
  #next = 0
  #fault: Error | undefined

  constructor(port: MessagePort | Worker) {
    this.#port = port
    port.on('message', (answer: Answered) => this.#hear(answer))
  }

  call<K extends keyof C & string>(
    name: K,
    argument: C[K] extends (argument: infer A) => unknown ? A : never,
    transfer: Transferable[] = []
  ): Promise<C[K] extends (argument: never) => infer R ? Awaited<R> : never> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    return new Promise((resolve, reject) => {
      const id = this.#next++
      this.#waiting.set(id, { resolve: resolve as Waiting['resolve'], reject })
      this.#port.postMessage({ id, name, argument } satisfies Asked, transfer)
    })
  }

  /** The other thread has ended: nobody waits for ever. */
  fail(error: Error): void {
    this.#fault = error
    for (const { reject } of this.#waiting.values()) reject(error)
    this.#waiting.clear()
  }

  #hear({ id, value, error }: Answered): void {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (error === undefined) waiting?.resolve(value)
    else waiting?.reject(new SeriesError(error.code, error.message, error.facts))
  }
}

/** Answers calls from another thread. Whatever is thrown arrives there as a `SeriesError`. */
export function serveCalls(port: MessagePort, calls: object, codeOf: (error: unknown) => SeriesErrorCode): void {
  port.on('message', ({ id, name, argument }: Asked) => {
    void (async () => (calls as Calls)[name]?.(argument as never))().then(
      (value) => port.postMessage({ id, value } satisfies Answered),
      (error: Error) => {
        const isOurs = error instanceof SeriesError
        const code = isOurs ? error.code : codeOf(error)
        const facts = isOurs ? error.facts : {}
        port.postMessage({ id, error: { code, message: error.message, facts } } satisfies Answered)
      }
    )
  })
}
