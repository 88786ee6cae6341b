import { createHmac, timingSafeEqual } from 'node:crypto'

/** The contents of a link; all of it is signed. */
export interface LinkClaims {
  readonly id: string
  readonly bucket: string
  readonly key: string
  /** Milliseconds since the epoch, as they stand in the address. */
  readonly expires: string
}

/** Signs a link, which is for reading only. */
export function signLink(secret: Buffer, { id, bucket, key, expires }: LinkClaims): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['GET', id, bucket, key, expires]))
    .digest('base64url')
}

/** The current secret signs; signatures of earlier ones are still accepted. */
export function isSigned(secrets: readonly Buffer[], claims: LinkClaims, signature: string): boolean {
  const given = Buffer.from(signature)
  return secrets.some((secret) => {
    const right = Buffer.from(signLink(secret, claims))
    return right.length === given.length && timingSafeEqual(right, given)
  })
}
