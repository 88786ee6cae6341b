import { createHmac } from 'node:crypto'

/** The header of what is sent to others, by which they know that it is from here and of when. */
export const SIGNATURE_HEADER = 'x-millrace-signature'

/**
 * `t=<unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`, with a `v1` for each secret: while receivers go over to a new one,
 * either is right.
 */
export function signatureOf(secrets: readonly string[], atMs: number, body: string | Uint8Array): string {
  const seconds = Math.floor(atMs / 1000)
  const signed = secrets.map(
    (secret) => `v1=${createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex')}`
  )
  return [`t=${seconds}`, ...signed].join(',')
}
