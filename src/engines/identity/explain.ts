import { checkClaims, type Expected } from './claim-checks.ts'
import { type CompactToken, parseToken } from './compact-token.ts'
import { type CheckName, type TokenCheck, TokenRefused } from './index.ts'
import type { PublicKey } from './key-set.ts'
import { quoted } from './quoted.ts'

type Prove = (token: CompactToken) => Promise<{ key: PublicKey }>

const AFTER_FORMAT: readonly CheckName[] = [
  'type',
  'algorithm',
  'issuer',
  'audience',
  'expired',
  'not_yet_valid',
  'subject',
  'provider',
  'key',
  'signature'
]

/** Every check in the order of `verify`. A check that needs an earlier, failed one counts as failed. */
export async function explainToken(
  text: string,
  expected: Expected,
  nowMs: number,
  prove: Prove
): Promise<TokenCheck[]> {
  let token: CompactToken
  try {
    token = parseToken(text)
  } catch (error) {
    return [failure(error), ...AFTER_FORMAT.map(notChecked)]
  }
  const format: TokenCheck = { name: 'format', ok: true, message: 'A signed JWT.' }
  const claims = checkClaims(token, expected, nowMs)
  if (claims.some(({ name, ok }) => name === 'algorithm' && !ok)) {
    return [format, ...claims, ...(['provider', 'key', 'signature'] as const).map(notChecked)]
  }
  try {
    const { key } = await prove(token)
    return [format, ...claims, ...proved(key)]
  } catch (error) {
    return [format, ...withFailure(claims, failure(error))]
  }
}

function proved(key: PublicKey): TokenCheck[] {
  return [
    { name: 'provider', ok: true, message: 'The keys of the provider are at hand.' },
    { name: 'key', ok: true, message: `Signed by the key ${quoted(key.keyId ?? key.thumbprint)}.` },
    { name: 'signature', ok: true, message: 'The signature fits.' }
  ]
}

/** The failed step takes its row, the steps before it passed, and those after it were not reached. */
function withFailure(claims: readonly TokenCheck[], failed: TokenCheck): TokenCheck[] {
  const steps: readonly CheckName[] = ['provider', 'algorithm', 'key', 'signature']
  const reached = steps.indexOf(failed.name)
  const rest = (['provider', 'key', 'signature'] as const).map((name): TokenCheck => {
    if (name === failed.name) return failed
    if (steps.indexOf(name) > reached) return notChecked(name)
    return { name, ok: true, message: name === 'key' ? 'The key is known.' : 'The keys of the provider are at hand.' }
  })
  return [...claims.map((row) => (row.name === failed.name ? failed : row)), ...rest]
}

function notChecked(name: CheckName): TokenCheck {
  return { name, ok: false, message: 'Not checked, because a check before it failed.' }
}

/**
 * Administrators are told the reason too; an error that is not about the token is a fault of the platform and is
 * thrown.
 */
function failure(error: unknown): TokenCheck {
  if (!(error instanceof TokenRefused)) throw error
  const reason = error.cause instanceof Error ? ` ${error.cause.message}` : ''
  return { name: error.check, ok: false, message: error.message + reason }
}
