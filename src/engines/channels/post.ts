import { OutboundError, type OutboundErrorCode, type OutboundResponse } from '../outbound/index.ts'
import { answerText } from './answer.ts'
import type { Sending, Sent, SentCode } from './channel-type.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER_BYTES = 64 * 1024
const MAX_RETRY_AFTER_MS = 3_600_000

interface Post {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

export interface Answer {
  readonly text: string
  /** Whether that is all that was said. */
  readonly isWhole: boolean
}

/** What a channel type makes of an answer; the rest is judged by the status. */
export type Judge = (sent: Sent, answer: Answer) => Sent

/** Sends JSON, and says by the status what came of it. */
export async function post(
  { outbound, clock, signal, secrets }: Omit<Sending<unknown>, 'config' | 'message'>,
  { url, headers, body }: Post,
  judge: Judge = (sent) => sent
): Promise<Sent> {
  try {
    const response = await outbound.request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': 'Millrace', ...headers },
      body,
      timeoutMs: TIMEOUT_MS,
      // More than is read, so that the limit is never what ends it.
      maxResponseBytes: 2 * MAX_ANSWER_BYTES,
      signal
    })
    const answer = await readAnswer(response)
    const sent = judge(sentBy(response, answer.text, clock.now()), answer)
    return { ...sent, answer: answerText(sent.answer, secrets, !answer.isWhole) }
  } catch (error) {
    return notSent(error, secrets)
  }
}

/** The status has been given by then: an answer that breaks off or is too long changes nothing. */
async function readAnswer({ body }: OutboundResponse): Promise<Answer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  let isWhole = true
  try {
    for await (const chunk of body) {
      chunks.push(chunk.subarray(0, MAX_ANSWER_BYTES - bytes))
      bytes += chunk.length
      isWhole = bytes <= MAX_ANSWER_BYTES
      if (!isWhole) break
    }
  } catch {
    isWhole = false
  }
  // Of a character that was cut nothing is kept: it would hide that a secret begins before it.
  return { text: new TextDecoder().decode(Buffer.concat(chunks), { stream: !isWhole }), isWhole }
}

function sentBy({ status, headers }: OutboundResponse, text: string, nowMs: number): Sent {
  if (status >= 200 && status < 300) return { outcome: 'sent', status, answer: text, code: 'ok' }
  if (status >= 300 && status < 400) {
    const answer = `The address answers with a redirect (${status}), which is not followed; give the one it points to`
    return { outcome: 'refused', status, answer, code: 'redirected' }
  }
  const answer = text.trim() === '' ? `The server answered ${status} and said nothing` : text
  if (status !== 408 && status !== 429 && status < 500) {
    return { outcome: 'refused', status, answer, code: REFUSALS[status] ?? 'rejected' }
  }
  const code = status === 429 ? 'rate_limited' : status === 408 ? 'timeout' : 'server_error'
  return { outcome: 'failed', status, answer, code, ...retryAfter(headers['retry-after'], nowMs) }
}

const REFUSALS: Readonly<Record<number, SentCode>> = {
  401: 'unauthorized',
  403: 'unauthorized',
  404: 'not_found',
  410: 'not_found'
}

/** Seconds, or a date. */
function retryAfter(header: string | string[] | undefined, nowMs: number): { retryAfterMs?: number } {
  const text = String(header ?? '').trim()
  return waiting(/^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs)
}

export function waiting(ms: number): { retryAfterMs?: number } {
  return ms > 0 ? { retryAfterMs: Math.min(ms, MAX_RETRY_AFTER_MS) } : {}
}

const FAILURES: Readonly<Record<OutboundErrorCode, readonly [Sent['outcome'], SentCode]>> = {
  refused_by_policy: ['refused', 'address_refused'],
  bad_url: ['refused', 'bad_config'],
  redirect: ['refused', 'redirected'],
  unknown_host: ['failed', 'unknown_host'],
  unreachable: ['failed', 'unreachable'],
  connection_refused: ['failed', 'unreachable'],
  tls: ['failed', 'tls'],
  timeout: ['failed', 'timeout'],
  too_large: ['failed', 'unexpected_answer'],
  protocol: ['failed', 'unexpected_answer'],
  aborted: ['failed', 'aborted']
}

/** What came of a call that got no answer; what is no failure of the call is thrown on. */
export function notSent(error: unknown, secrets: readonly string[]): Sent {
  if (!(error instanceof OutboundError)) throw error
  const [outcome, code] = FAILURES[error.code]
  return { outcome, status: null, answer: answerText(error.message, secrets), code }
}
