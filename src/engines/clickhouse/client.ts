/** A statement, or rows for the one that `query` names. */
export interface ClickhouseRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface Parts<A, M> {
  readonly user: string
  readonly password: string
  /** Brings a request there: over connections of one's own, or through `outbound` where a user gave the address. */
  carry(request: ClickhouseRequest, more: M): Promise<A>
  /** What an answer other than 200 means. */
  refusalOf(answer: A): Promise<Error>
  /** What it means that there was no answer, or half of one; refusals stay what they are. */
  faultOf(error: unknown, more: M): unknown
}

/** Statements over ClickHouse's HTTP interface. `M`: what else a request comes with, such as when to give up. */
export class ClickhouseClient<A extends { readonly status: number }, M> {
  readonly #parts: Parts<A, M>
  readonly #headers: Readonly<Record<string, string>>

  constructor(parts: Parts<A, M>) {
    this.#parts = parts
    this.#headers = { authorization: `Basic ${Buffer.from(`${parts.user}:${parts.password}`).toString('base64')}` }
  }

  async send(parameters: Readonly<Record<string, string>>, body: string | Uint8Array, more: M): Promise<A> {
    const { carry, refusalOf, faultOf } = this.#parts
    try {
      const path = `/?${new URLSearchParams(parameters)}`
      const answer = await carry({ path, headers: this.#headers, body }, more)
      if (answer.status === 200) return answer
      throw await refusalOf(answer)
    } catch (error) {
      throw faultOf(error, more)
    }
  }

  async *read(body: AsyncIterable<Uint8Array>, more: M): AsyncGenerator<Uint8Array> {
    try {
      yield* body
    } catch (error) {
      throw this.#parts.faultOf(error, more)
    }
  }
}

/** The number in ClickHouse's own list of errors. Newer versions tell it in a header, older ones in the text only. */
export function exceptionCode(text: string, header?: string | string[]): number | undefined {
  const digits = typeof header === 'string' ? header : /Code: (\d+)/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
