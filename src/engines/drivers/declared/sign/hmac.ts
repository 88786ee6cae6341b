import { createHmac } from 'node:crypto'
import type { Authentication, Template } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import type { Scope } from '../template/template.ts'
import { fixedSigner } from './fixed.ts'
import type { SignNeeds } from './needs.ts'
import { bodyText, withContentType, withHeader } from './request.ts'
import { headerText, required } from './values.ts'

type Hmac = Extract<Authentication, { kind: 'hmac' }>

/** An HMAC over parts of the request. */
export const hmacSigner = (hmac: Hmac, scope: Scope, { clock }: Pick<SignNeeds, 'clock'>): Signer =>
  fixedSigner((given) => {
    const request = withContentType(given)
    const parts = partsOf(request, clock.now())
    const text = required(withoutEmpty(hmac.text, parts), { ...scope, ...parts })
    const key = required(hmac.key, scope)
    const signature = createHmac(hmac.algorithm, key).update(text).digest(hmac.encoding)
    const known = { ...scope, ...parts, signature }
    return Object.entries(hmac.headers).reduce(
      (signed, [name, value]) => withHeader(signed, name, headerText(withoutEmpty(value, parts), known)),
      request
    )
  })

function partsOf({ method, url, body }: Outgoing, nowMs: number): Readonly<Record<string, string>> {
  return {
    method,
    path: url.pathname,
    query: url.search.slice(1),
    body: bodyText(body),
    seconds: String(Math.floor(nowMs / 1000)),
    milliseconds: String(nowMs),
    date: new Date(nowMs).toUTCString()
  }
}

/** The template without names of parts that are empty: to have no query is not to lack a value. */
function withoutEmpty(template: Template, parts: Readonly<Record<string, string>>): Template {
  return template.replace(/\{(query|body)(?:\|[^{}]*)?\}/g, (whole, name: string) => (parts[name] === '' ? '' : whole))
}
