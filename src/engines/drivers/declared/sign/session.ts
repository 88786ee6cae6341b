import type { Authentication } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import { fill, memberOf, namesIn, type Scope } from '../template/template.ts'
import { addressOf, hostNames } from './address.ts'
import { basicHeader } from './basic.ts'
import type { SignNeeds } from './needs.ts'
import { withHeader, withQuery } from './request.ts'
import { tokenFor } from './token-answer.ts'
import { ownTokens } from './token-cache.ts'
import { tokenRefusal } from './token-errors.ts'
import { tokenSigner } from './token-signer.ts'
import { filledFields, filledJson, headerText, pointerOf, required, templatesIn } from './values.ts'

type Session = Extract<Authentication, { kind: 'session' }>

/** A token that is got by signing in. */
export function sessionSigner(session: Session, scope: Scope, needs: SignNeeds): Signer {
  const { clock, send, cache = ownTokens } = needs
  const login = () => loginRequest(session.login, scope)
  return tokenSigner({
    clock,
    account: () => {
      const { method, url, headers, body } = login()
      return cache.accountOf([method, url.href, headers, body, session.token])
    },
    async ask(_account, signal) {
      const nowMs = clock.now()
      const answer = await send(login(), signal)
      const path = session.token === '' ? [] : session.token.split('.')
      const found = answer.status < 300 ? memberOf(answer.body, path) : undefined
      const text = typeof found === 'number' ? String(found) : found
      if (typeof text !== 'string' || text === '') {
        const pointer = secretPointer(session.login)
        const address = pointerOf(undefined, hostNames(session.login.url)[0])
        throw tokenRefusal(answer, 'sign-in', { client: pointer, grant: pointer, address })
      }
      return tokenFor(text, session.seconds, nowMs)
    },
    put: (request, token) => withToken(request, session, token)
  })
}

function loginRequest(login: Session['login'], scope: Scope): Outgoing {
  const headers = Object.entries(login.headers ?? {}).map(([name, value]) => [name, headerText(value, scope)])
  const basic = login.basic && { authorization: basicHeader(login.basic, scope) }
  requireAny([login.form, login.body], scope)
  const form = login.form && { form: filledFields(login.form, scope) }
  const json = login.body === undefined ? undefined : { json: filledJson(login.body, scope) }
  return {
    method: login.method ?? 'POST',
    url: addressOf(login.url, scope),
    headers: { accept: 'application/json', ...basic, ...Object.fromEntries(headers) },
    body: form ?? json
  }
}

/** Some of what is sent may be optional; all of it is not. */
function requireAny(sent: unknown, scope: Scope): void {
  const templates = templatesIn(sent).filter((template) => namesIn(template).length > 0)
  const [first] = templates
  if (first !== undefined && templates.every((template) => fill(template, scope) === undefined)) required(first, scope)
}

function withToken(request: Outgoing, { in: place = 'header', name, prefix }: Session, token: string): Outgoing {
  const before = prefix ?? (place === 'header' && name === undefined ? 'Bearer' : '')
  const value = `${before}${/\w$/.test(before) ? ' ' : ''}${token}`
  if (place === 'query') return withQuery(request, name ?? 'token', value)
  return withHeader(request, name ?? 'authorization', value)
}

/** The setting that most likely is the secret among those that are sent to sign in. */
function secretPointer({ basic, headers, form, body, url }: Session['login']): string | undefined {
  const templates = [basic?.password, basic?.user, ...templatesIn([form, body, headers]), url]
  const names = templates.flatMap((template) => (template === undefined ? [] : namesIn(template)))
  return pointerOf(undefined, names.find((name) => /pass|secret|key|token/i.test(name)) ?? names[0])
}
