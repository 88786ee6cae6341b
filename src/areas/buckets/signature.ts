import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a link says; all of it is signed. */
export interface LinkClaims {
  readonly id: string
  readonly bucket: string
  readonly key: string
  /** Milliseconds since the epoch, as they stand in the address. */
  readonly expires: string
}

/** Signs for reading only: a link says nothing about other methods. */
export function signLink(secret: Buffer, { id, bucket, key, expires }: LinkClaims): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify(['GET', id, bucket, key, expires]))
    .digest('base64url')
}

/** The current secret signs, earlier ones are still believed. */
export function isSigned(secrets: readonly Buffer[], claims: LinkClaims, signature: string): boolean {
  const given = Buffer.from(signature)
  return secrets.some((secret) => {
    const right = Buffer.from(signLink(secret, claims))
    return right.length === given.length && timingSafeEqual(right, given)
  })
}
