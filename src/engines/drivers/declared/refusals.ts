import { MAX_TOLD } from '../common/answers.ts'
import { SourceError } from '../errors.ts'
import type { Answer } from './outgoing.ts'
import { memberOf } from './template/template.ts'

/** Where services say what is wrong. */
const PLACES = [
  'error.message',
  'error.detail',
  'error.description',
  'error_description',
  'errorMessage',
  'error_message',
  'message',
  'errors.0.message',
  'errors.0.detail',
  'errors.0.title',
  'errors.0',
  'detail',
  'title',
  'fault.faultstring',
  'error',
  'msg',
  'reason'
].map((place) => place.split('.'))
/** Shorter texts are part of ordinary words, and no secrets. */
const LEAST_SECRET = 4

export interface Refused {
  readonly secretPointer: string
  /** Texts that must not be shown. */
  readonly secrets: readonly string[]
  /** What was asked for. */
  readonly path?: string
}

/** Why a service did not do as asked, and what to do about it. */
export function refusalOf(answer: Answer, { secretPointer, secrets, path = '' }: Refused): SourceError {
  const { status } = answer
  const told = messageIn(answer.body, secrets)
  const said = told === undefined ? '' : `: ${told}`
  switch (true) {
    case status < 400:
      return new SourceError('bad_request', 'It answers with an address elsewhere, which is not followed')
    case status === 401:
      return new SourceError(
        'wrong_credentials',
        `It does not accept these credentials${said}; give them again`,
        secretPointer
      )
    case status === 403:
      return new SourceError('missing_permission', `A right is missing${said}; have it given, or use other credentials`)
    case status === 404:
      return new SourceError('not_found', `There is nothing at ${shown(path, encoded(secrets))}${said}`)
    case status === 408 || status === 504:
      return new SourceError('timeout', `It did not answer in time (${status}); try again later`)
    case status === 429:
      return new SourceError('rate_limited', 'It was asked too often; try again later')
    case status >= 500:
      return new SourceError('unavailable', `It can't answer right now (${status})${said}; try again later`)
    default:
      return new SourceError('bad_request', `It refused what was asked (${status})${said}`)
  }
}

/** What a service says is wrong, shortened and without secrets; undefined where it says nothing. */
export function messageIn(body: unknown, secrets: readonly string[]): string | undefined {
  for (const place of PLACES) {
    const found = memberOf(body, place)
    if (typeof found === 'string' && found.trim() !== '') return shown(found.trim(), secrets)
  }
  return undefined
}

/** As they stand in an address, too. */
const encoded = (secrets: readonly string[]) => secrets.flatMap((secret) => [secret, encodeURIComponent(secret)])

function shown(text: string, secrets: readonly string[]): string {
  let safe = text
  for (const secret of secrets.filter(({ length }) => length >= LEAST_SECRET).toSorted((a, b) => b.length - a.length)) {
    safe = safe.replaceAll(secret, '…')
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
  return safe.replace(/[\u0000-\u001f\u007f]+/g, ' ').slice(0, MAX_TOLD)
}
