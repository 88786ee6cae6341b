import type { Transferable } from 'node:worker_threads'

/** A message of a channel: a question, or the answer to the question of that number. */
export type ChannelMessage = Asked | Answered

export interface Asked {
  readonly id: number
  readonly name: string
  readonly args: readonly unknown[]
}

/** Without a `fault` the call succeeded. */
export interface Answered<F = unknown> {
  readonly id: number
  readonly value?: unknown
  readonly fault?: F
}

/** How errors are turned into something that can be sent, with their code, and back. */
export interface FaultForm<F> {
  toSent(error: unknown): F
  toError(sent: F): Error
}

interface Parts<F> {
  /** Sends a message to the other end, which passes it to its `hear`. */
  post(message: ChannelMessage, transfer: Transferable[]): void
  readonly faults: FaultForm<F>
  /** The object whose own members the other end may call, and no others. */
  readonly serves?: object
}

/** Far more than callers are admitted at once: only an end that never answers gets there. */
const MAX_WAITING = 100_000

type Fn = (...args: never[]) => unknown
type ArgsOf<C> = C extends (...args: infer A) => unknown ? A : never
type AnswerOf<C> = C extends (...args: never[]) => infer R ? Awaited<R> : never

/** One end of a conversation with a thread or a process. Each may ask the other; answers come in any order. */
export class Channel<Theirs extends object, F = unknown> {
  readonly #parts: Parts<F>
  readonly #waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #last = 0
  #fault: Error | undefined

  constructor(parts: Parts<F>) {
    this.#parts = parts
  }

  call<K extends keyof Theirs & string>(name: K, ...args: ArgsOf<Theirs[K]>): Promise<AnswerOf<Theirs[K]>> {
    return this.callWith([], name, ...args)
  }

  /** Memory in `transfer` is handed over rather than copied. */
  callWith<K extends keyof Theirs & string>(
    transfer: Transferable[],
    name: K,
    ...args: ArgsOf<Theirs[K]>
  ): Promise<AnswerOf<Theirs[K]>> {
    if (this.#fault !== undefined) return Promise.reject(this.#fault)
    if (this.#waiting.size >= MAX_WAITING) return Promise.reject(this.#own(`${MAX_WAITING} calls wait for an answer`))
    const id = ++this.#last
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject })
      try {
        this.#parts.post({ id, name, args }, transfer)
      } catch (error) {
        this.#waiting.delete(id)
        reject(error)
      }
    })
  }

  /** How many calls have not been answered. */
  get waiting(): number {
    return this.#waiting.size
  }

  /** Takes a message from the other end. An answer to no question is ignored. */
  hear(message: ChannelMessage): void {
    if ('name' in message) {
      void this.#answer(message)
      return
    }
    const { id, value, fault } = message as Answered<F>
    const waiting = this.#waiting.get(id)
    if (waiting === undefined) return
    this.#waiting.delete(id)
    if (fault === undefined) waiting.resolve(value)
    else waiting.reject(this.#parts.faults.toError(fault))
  }

  /** To be called when the other end is gone: all waiting and later calls fail. */
  end(fault: Error): void {
    this.#fault = fault
    const waiting = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const { reject } of waiting) reject(fault)
  }

  async #answer({ id, name, args }: Asked): Promise<void> {
    const { faults, serves = {} } = this.#parts
    try {
      if (!Object.hasOwn(serves, name)) throw new Error(`Nobody answers to ${name}`)
      const value = await (serves as Record<string, Fn>)[name]?.(...(args as never[]))
      this.#send({ id, value })
    } catch (error) {
      this.#send({ id, fault: faults.toSent(error) })
    }
  }

  #send(answer: Answered): void {
    if (this.#fault === undefined) this.#parts.post(answer, [])
  }

  #own(message: string): Error {
    const { faults } = this.#parts
    return faults.toError(faults.toSent(new Error(message)))
  }
}
