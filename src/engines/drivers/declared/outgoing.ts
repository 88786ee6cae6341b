import type { OutboundResponse } from '../../outbound/index.ts'

/** A request before it is sent. */
export interface Outgoing {
  readonly method: 'GET' | 'POST'
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: OutgoingBody | undefined
}

export type OutgoingBody = { readonly json: unknown } | { readonly form: Readonly<Record<string, string>> }

export interface Answer {
  readonly status: number
  readonly headers: OutboundResponse['headers']
  /** As JSON; undefined where there is none, and once a page was made of it: the answer may be kept for long, see `send`. */
  body: unknown
  /** The length of the text that the body was. */
  readonly length: number
}

/** Says in a request who is calling. */
export interface Signer {
  /** The request with what it needs; may ask for a token first. */
  sign(request: Outgoing, signal: AbortSignal): Promise<Outgoing>
  /**
   * Forgets the token that a request was refused with, or whichever there is; answers whether trying again with another
   * may help. One that came in its place since is kept: others read with it.
   */
  renew(refused?: Outgoing): boolean
}
