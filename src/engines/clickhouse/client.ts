/** A statement, or rows for the statement in `query`. */
export interface ClickhouseRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface Parts<A, M> {
  readonly user: string
  readonly password: string
  /** Sends a request: over connections of its own, or through `outbound` where a user gave the address. */
  carry(request: ClickhouseRequest, more: M): Promise<A>
  /** The error for an answer other than 200. */
  refusalOf(answer: A): Promise<Error>
  /** The error for a missing or incomplete answer; refusals stay unchanged. */
  faultOf(error: unknown, more: M): unknown
}

/** Runs statements over ClickHouse's HTTP interface. `M`: further options of a request, such as its signal. */
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

/** ClickHouse's error number. Newer versions put it into a header, older ones only into the text. */
export function exceptionCode(text: string, header?: string | string[]): number | undefined {
  const digits = typeof header === 'string' ? header : /Code: (\d+)/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}
