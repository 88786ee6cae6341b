import { createPrivateKey, createSecretKey, type KeyObject } from 'node:crypto'
import { SourceError } from '../../errors.ts'

/** What a service account signs with. */
export interface ServiceKey {
  readonly key: KeyObject
  /** What the JSON of a service account says; empty where the key is a PEM. */
  readonly account: Readonly<Record<string, unknown>>
}

/** The key in a text: a PEM, the JSON of a service account, or for `HS256` the secret itself. */
export function serviceKeyOf(text: string, algorithm: string, pointer: string | undefined): ServiceKey {
  const account = accountIn(text)
  const given = typeof account.private_key === 'string' ? account.private_key : text
  if (algorithm === 'HS256') return { key: createSecretKey(Buffer.from(given)), account }
  try {
    // Line breaks get lost in forms and environment variables, or become the two characters that stand for one.
    const pem = given.includes('\n') ? given : given.replaceAll('\\n', '\n')
    return { key: createPrivateKey(pem.trim()), account }
  } catch {
    throw badKey(
      'It is no private key; give the PEM from BEGIN to END, or the JSON of a service account, whole',
      pointer
    )
  }
}

export const badKey = (message: string, pointer: string | undefined) =>
  new SourceError('wrong_credentials', message, pointer)

function accountIn(text: string): Record<string, unknown> {
  if (!text.trimStart().startsWith('{')) return {}
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}
