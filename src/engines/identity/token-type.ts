import type { CompactToken } from './compact-token.ts'
import type { TokenCheck } from './index.ts'
import { quoted } from './quoted.ts'

/**
 * Refuses ID tokens and other JWTs that the provider signs with the same keys but that grant nothing.
 *
 * An ID token tells a client who signed in. Whoever runs any client of the provider holds ID tokens of its users, so
 * accepting them here would let that client act as them. RFC 9068 tells access tokens apart by the type `at+jwt`, but
 * many providers still write `JWT` or nothing for both kinds. Those pass unless they carry what only ID tokens have:
 * the claims `nonce`, `at_hash` or `c_hash`, or the provider's own mark (Keycloak `typ: ID`, Cognito `token_use: id`).
 * What is left, an ID token without any of them, names its client as the audience and fails that check.
 */
export function checkType({ type, claims }: CompactToken): TokenCheck {
  const short = type?.toLowerCase().replace(/^application\//, '')
  if (short === 'at+jwt') return { name: 'type', ok: true, message: 'Marked as an access token (at+jwt).' }
  if (short !== undefined && short !== 'jwt') {
    return refuse(`A token of type ${quoted(type as string)} is no access token; send an access token.`)
  }
  const mark = idTokenMark(claims)
  if (mark !== undefined) return refuse(`This is an ID token (it has ${mark}); send the access token instead.`)
  return { name: 'type', ok: true, message: 'Not marked as an access token, but nothing shows it to be another kind.' }
}

function idTokenMark(claims: CompactToken['claims']): string | undefined {
  if (claims.typ === 'ID') return 'typ ID'
  if (claims.token_use === 'id') return 'token_use id'
  // Keycloak before 24 copied the nonce into access tokens as well, and marked those as Bearer.
  if (claims.typ === 'Bearer') return undefined
  return ['nonce', 'at_hash', 'c_hash'].find((name) => Object.hasOwn(claims, name))
}

function refuse(message: string): TokenCheck {
  return { name: 'type', ok: false, message }
}
