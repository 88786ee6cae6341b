import { validateHeaderName, validateHeaderValue } from 'node:http'
import type { Clock } from '../../../engines/clock.ts'
import { Gate } from '../../../engines/gate.ts'
import {
  type Outbound,
  OutboundError,
  type OutboundResponse,
  parseHost,
  refusedHeader
} from '../../../engines/outbound/index.ts'
import { originText } from '../../../engines/places/index.ts'
import { SIGNATURE_HEADER, signatureOf } from '../../../engines/signature.ts'
import { type FieldError, Problem } from '../../../errors.ts'
import type { ScheduleTarget, TargetConfig, TargetResult, TargetRun } from '../../../schedule-target.ts'
import {
  BODY_NAMES,
  bodyText,
  DEFAULT_TIMEOUT_SECONDS,
  filledIn,
  HttpTargetConfig,
  isTooLong,
  unknownName
} from './http-config.ts'
import { retryAfterMs } from './retry-after.ts'

const MAX_ANSWER_BYTES = 64 * 1024
/** Calls to one origin at once: they share its connections, and what a call waits for one counts against its time limit. */
const CALLS_TO_ONE = 64
const SHOWN_CHARS = 300
const POINTER = '/target/config'
/** Of 4xx, those that say that it is too early. */
const PASSING: ReadonlySet<number> = new Set([408, 425, 429])
/** Statuses whose `Retry-After` counts. */
const SAYS_WHEN: ReadonlySet<number> = new Set([429, 503])
const LASTING: ReadonlySet<string> = new Set(['refused_by_policy', 'tls', 'bad_url', 'protocol'])
/** A value so short would hide half of an answer. */
const MIN_HIDDEN_CHARS = 4

interface Needs {
  readonly clock: Clock
  outbound(): Promise<Outbound>
}

export function httpTarget(needs: Needs): ScheduleTarget {
  const gate = new Gate(CALLS_TO_ONE)
  return {
    about:
      'Calls an address, signed, with an `Idempotency-Key` that is the same for all attempts at one due time. A status of 3xx, or of 4xx but 408, 425 and 429, is not tried again.',
    permissions: [],
    config: HttpTargetConfig,
    secrets: ['headers', 'secret', 'secondSecret'],
    placeOf: (config) => ({ url: [originText(toHttp(config).url)] }),
    check: ({ config }) => check(needs, toHttp(config)),
    turn: ({ config }, signal) => gate.enter(originText(toHttp(config).url), signal),
    run: (run) => call(needs, run)
  }
}

const toHttp = (config: TargetConfig) => config as unknown as HttpTargetConfig

async function check(needs: Needs, config: HttpTargetConfig): Promise<void> {
  const { url, method = 'POST', headers = {}, body, secret, secondSecret } = config
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => errors.push({ pointer: `${POINTER}/${field}`, message })
  const urlFault = await faultOfUrl(needs, url)
  if (urlFault !== undefined) refuse('url', urlFault)
  for (const [name, value] of Object.entries(headers)) {
    const fault = faultOfHeader(name, value)
    if (fault !== undefined) refuse(`headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, fault)
  }
  const text = bodyText(config)
  const unknown = unknownName(text)
  if (body !== undefined && method === 'GET') refuse('body', 'must be left out with GET, which sends none')
  else if (isTooLong(text)) refuse('body', 'is too long; send less')
  else if (unknown !== undefined) {
    refuse(
      'body',
      `has ${unknown}, which has no meaning: there is ${BODY_NAMES.map((name) => `{{${name}}}`).join(', ')}`
    )
  }
  if (secondSecret !== undefined && secret === undefined)
    refuse('secret', 'must be given where there is a secondSecret')
  if (errors.length > 0) throw new Problem('invalid_request', { errors })
}

/** Whether a name leads to an address that may be called is known when it is called. */
async function faultOfUrl({ outbound }: Needs, url: string): Promise<string | undefined> {
  const parsed = URL.parse(url)
  if (parsed === null || !/^https?:$/.test(parsed.protocol))
    return 'must be an address that begins with http:// or https://'
  if (parsed.username !== '' || parsed.password !== '') {
    return 'must be without user and password; give them in the header authorization'
  }
  const host = parseHost(parsed.hostname)
  if (host === undefined) return 'must have a host that is a name or an address'
  if (host.address === undefined) return undefined
  const port = parsed.port === '' ? (parsed.protocol === 'https:' ? 443 : 80) : Number(parsed.port)
  try {
    await (await outbound()).resolve(parsed.hostname, port)
    return undefined
  } catch (error) {
    if (error instanceof OutboundError && error.code !== 'aborted') return `can't be called: ${error.message}`
    throw error
  }
}

function faultOfHeader(name: string, value: string): string | undefined {
  if (refusedHeader(name)) return 'must be left out: the server sets this header itself'
  try {
    validateHeaderName(name)
    validateHeaderValue(name, value)
    return undefined
  } catch {
    return 'is no valid header: names are letters, digits and hyphens, and values are on one line'
  }
}

async function call({ clock, outbound }: Needs, run: TargetRun): Promise<TargetResult> {
  const config = toHttp(run.config)
  const { method = 'POST', url, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS } = config
  const { signal } = run
  // The due time before takes long to find out, and is only asked for where it is sent.
  const body = filledIn(bodyText(config), (name) => run[name] ?? '')
  const headers = headersOf(config, run, body, clock.now())
  const begun = clock.elapsed()
  try {
    const request = { method, headers, timeoutMs: timeoutSeconds * 1000, signal, maxResponseBytes: MAX_ANSWER_BYTES }
    const response = await (await outbound()).request(url, body === '' ? request : { ...request, body })
    const tookMs = Math.round(clock.elapsed() - begun)
    const result = await judged(config, response, tookMs)
    if (result.outcome !== 'failed' || !SAYS_WHEN.has(response.status)) return result
    return { ...result, retryAfterMs: retryAfterMs(response.headers['retry-after'], clock.now()) }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof OutboundError)) throw error
    return { outcome: 'failed', code: error.code, message: error.message, isFinal: LASTING.has(error.code) }
  }
}

/** Ours last: they can't be replaced. */
function headersOf(config: HttpTargetConfig, run: TargetRun, body: string, nowMs: number): Record<string, string> {
  const { secret, secondSecret } = config
  const secrets = [secret, secondSecret].filter((one) => one !== undefined)
  const type = typeof config.body === 'string' ? 'text/plain; charset=utf-8' : 'application/json'
  return {
    ...(body !== '' && { 'content-type': type }),
    ...config.headers,
    'idempotency-key': run.runId,
    'x-millrace-schedule-id': run.scheduleId,
    'x-millrace-due-at': run.dueAt,
    'x-millrace-attempt': String(run.attempt),
    ...(secrets.length > 0 && { [SIGNATURE_HEADER]: signatureOf(secrets, nowMs, body) })
  }
}

async function judged(config: HttpTargetConfig, response: OutboundResponse, tookMs: number): Promise<TargetResult> {
  const { status } = response
  const isExpected = config.expect?.includes(status) ?? (status >= 200 && status < 300)
  if (isExpected) {
    await response.discard()
    return { outcome: 'succeeded', message: `The server answered ${status} in ${tookMs} ms` }
  }
  const text = await beginningOf(response)
  // A redirect is never followed, so that another attempt is answered with the same.
  const isFinal = status >= 300 && status < 500 && !PASSING.has(status)
  const shown = text === '' ? '' : `; it says: ${hidden(config, text).slice(0, SHOWN_CHARS).toWellFormed()}`
  const message = `The server answered ${status}${adviceFor(status)}${shown}`
  return { outcome: 'failed', code: `status_${status}`, message, isFinal }
}

/** What there is of a body that breaks off, or goes on for longer than anybody reads: the status is the answer. */
async function beginningOf({ body }: OutboundResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  try {
    for await (const chunk of body) chunks.push(chunk)
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks))
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

/** Some servers answer with what they were sent. */
function hidden({ headers = {}, secret, secondSecret }: HttpTargetConfig, text: string): string {
  const secrets = [...Object.values(headers), secret, secondSecret]
  return secrets.reduce<string>(
    (shown, value) =>
      value === undefined || value.length < MIN_HIDDEN_CHARS ? shown : shown.replaceAll(value, '********'),
    text
  )
}

function adviceFor(status: number): string {
  if (status === 401 || status === 403) return ': give it other credentials in `headers`'
  if (status === 404) return ': check the address'
  if (status >= 300 && status < 400) return ': give the address that it points to, or expect this status'
  return ''
}
