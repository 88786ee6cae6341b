import type { OAuth2 } from '../entry.ts'
import type { Outgoing, Signer } from '../outgoing.ts'
import { memberOf, type Scope } from '../template/template.ts'
import { addressOf, hostNames } from './address.ts'
import { basicHeader } from './basic.ts'
import type { SignNeeds } from './needs.ts'
import { withHeader } from './request.ts'
import { Rotation } from './rotation.ts'
import { accessTokenIn } from './token-answer.ts'
import { ownTokens } from './token-cache.ts'
import type { TokenPointers } from './token-errors.ts'
import { tokenSigner } from './token-signer.ts'
import { filledFields, optional, pointerOf, required } from './values.ts'

/** OAuth 2: a token for a client by itself, or for what a person has permitted to it. */
export function oauth2Signer(oauth: OAuth2, scope: Scope, needs: SignNeeds): Signer {
  const { clock, send, cache = ownTokens } = needs
  const credentialsWith = (refreshToken: string | undefined) => credentialsOf(tokenRequest(oauth, scope, refreshToken))
  const rotation = new Rotation(optional(oauth.refreshToken, scope), fieldOf(oauth.refreshToken), needs)
  return tokenSigner({
    clock,
    account: () => cache.accountOf(credentialsWith(undefined)),
    async ask(account, signal) {
      const nowMs = clock.now()
      const sent = (refreshToken: string | undefined) => send(tokenRequest(oauth, scope, refreshToken), signal)
      if (oauth.grant !== 'refresh_token') return accessTokenIn(await sent(undefined), nowMs, pointersOf(oauth))
      const { answer, used } = await rotation.exchange(account.refreshToken, sent, signal)
      const token = accessTokenIn(answer, nowMs, pointersOf(oauth))
      const next = memberOf(answer.body, ['refresh_token'])
      account.refreshToken = typeof next === 'string' && next !== '' ? next : used
      // Whoever opens the same connector later comes with the new one.
      if (account.refreshToken !== undefined) cache.link(credentialsWith(account.refreshToken), account)
      // Even if nobody waits for the token any more. Whoever does tries again and is told.
      await rotation.save(account.refreshToken).catch(() => {})
      return token
    },
    before: (account) => rotation.save(account.refreshToken),
    put: (request, token) => withHeader(request, 'authorization', `Bearer ${token}`)
  })
}

/** What is sent for a token; with the refresh token that the service gave last, where it gives another each time. */
function tokenRequest(oauth: OAuth2, scope: Scope, lastRefreshToken: string | undefined): Outgoing {
  const { grant, scopes, refreshToken, user, password } = oauth
  const form: Record<string, string> = { grant_type: grant }
  if (grant === 'refresh_token') {
    const given = lastRefreshToken ?? (refreshToken && required(refreshToken, scope))
    if (given !== undefined) form.refresh_token = given
  }
  if (grant === 'password') {
    if (user !== undefined) form.username = required(user, scope)
    if (password !== undefined) form.password = required(password, scope)
  }
  const asked = optional(scopes, scope)
  if (asked !== undefined) form.scope = asked
  return clientRequest(oauth, scope, { ...form, ...filledFields(oauth.form, scope) })
}

/** A request for a token, in which the client says who it is. */
export function clientRequest(oauth: OAuth2, scope: Scope, form: Readonly<Record<string, string>>): Outgoing {
  const { tokenUrl, clientId, clientSecret, client = 'form' } = oauth
  const url = addressOf(tokenUrl, scope)
  const accept = { accept: 'application/json' }
  if (client === 'basic') {
    // As services document it, the name and the secret are not encoded before they are joined.
    const authorization = basicHeader({ user: clientId ?? '', password: clientSecret ?? '' }, scope)
    return { method: 'POST', url, headers: { ...accept, authorization }, body: { form } }
  }
  const own = {
    ...(clientId !== undefined && { client_id: required(clientId, scope) }),
    ...(clientSecret !== undefined && { client_secret: required(clientSecret, scope) })
  }
  return { method: 'POST', url, headers: accept, body: { form: { ...own, ...form } } }
}

/** The setting that holds what a template is, and nothing else. */
const fieldOf = (template: string | undefined): string | undefined => /^\{(\w+)\}$/.exec(template ?? '')?.[1]

const credentialsOf = ({ url, headers, body }: Outgoing) => [url.href, headers, body]

export function pointersOf(oauth: OAuth2): TokenPointers {
  const { grant, refreshToken, password, clientId, clientSecret, scopes, tokenUrl } = oauth
  const client = pointerOf(clientSecret) ?? pointerOf(clientId)
  const permitted = grant === 'refresh_token' ? refreshToken : grant === 'password' ? password : undefined
  return {
    client,
    grant: pointerOf(permitted) ?? client,
    scopes: pointerOf(scopes),
    address: pointerOf(undefined, hostNames(tokenUrl)[0])
  }
}
