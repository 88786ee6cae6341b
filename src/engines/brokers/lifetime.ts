import { BrokerError } from './errors.ts'

/** The life of a connection. It ends once, with a reason; work under way then fails with that reason. */
export class Lifetime {
  readonly #ends = new Set<(error: BrokerError) => void>()
  #error: BrokerError | undefined

  get isOver(): boolean {
    return this.#error !== undefined
  }

  end(error: BrokerError): void {
    if (this.#error !== undefined) return
    this.#error = error
    for (const end of this.#ends) end(error)
    this.#ends.clear()
  }

  /** Why it ended. */
  over(): Promise<BrokerError> {
    if (this.#error !== undefined) return Promise.resolve(this.#error)
    return new Promise((resolve) => this.#ends.add(resolve))
  }

  /** The result of `work`, unless the end or the limit comes first. Holds no references once it has settled. */
  during<T>(work: Promise<T>, limit?: { readonly ms: number; readonly error: () => BrokerError }): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const fail = (error: unknown) => {
        settled()
        reject(error)
      }
      const timer = limit && setTimeout(() => fail(limit.error()), limit.ms)
      const settled = () => {
        clearTimeout(timer)
        this.#ends.delete(fail)
      }
      if (this.#error !== undefined) fail(this.#error)
      else this.#ends.add(fail)
      work.then((value) => {
        settled()
        resolve(value)
      }, fail)
    })
  }
}

export function closedError(): BrokerError {
  return new BrokerError('closed', 'The connection to the broker was closed')
}

/** Waits for work that nothing depends on, but not for ever; its result does not matter. */
export async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  await new Lifetime().during(work, { ms, error: closedError }).catch(() => {})
}
