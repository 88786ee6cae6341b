import type { Outbound } from '../../outbound/index.ts'
import { OutboundError } from '../../outbound/index.ts'
import { fromOutbound } from '../reach.ts'
import type { Answer, Outgoing } from './outgoing.ts'

/** Sends a request once, as it is, and answers whatever the status. */
export async function send(
  outbound: Outbound,
  { method, url, headers, body }: Outgoing,
  signal: AbortSignal
): Promise<Answer> {
  const type =
    body === undefined
      ? {}
      : { 'content-type': 'json' in body ? 'application/json' : 'application/x-www-form-urlencoded' }
  const text =
    body === undefined
      ? undefined
      : 'json' in body
        ? JSON.stringify(body.json)
        : new URLSearchParams(body.form).toString()
  try {
    const response = await outbound.request(url.href, {
      method,
      headers: { ...type, ...headers },
      signal,
      ...(text !== undefined && { body: text })
    })
    const answered = await response.text()
    return { status: response.status, headers: response.headers, body: jsonOf(answered) }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof OutboundError ? fromOutbound(error) : error
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
