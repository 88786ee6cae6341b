/** The kinds of key that can prove a signature, named as JWKs name them: the type for RSA, else the curve. */
export type KeyShape = 'RSA' | 'P-256' | 'P-384' | 'P-521' | 'Ed25519'

/**
 * The only algorithms accepted. All are asymmetric: with HMAC the key that verifies also signs, and a provider's
 * public key would do as its secret.
 */
const shapes: ReadonlyMap<string, KeyShape> = new Map<string, KeyShape>([
  ['RS256', 'RSA'],
  ['RS384', 'RSA'],
  ['RS512', 'RSA'],
  ['PS256', 'RSA'],
  ['PS384', 'RSA'],
  ['PS512', 'RSA'],
  ['ES256', 'P-256'],
  ['ES384', 'P-384'],
  ['ES512', 'P-521'],
  ['EdDSA', 'Ed25519'],
  ['Ed25519', 'Ed25519']
])

export function isAllowed(algorithm: string): boolean {
  return shapes.has(algorithm)
}

/** Whether a key of this shape, reserved by its JWK for `reservedFor` or for nothing, may prove this algorithm. */
export function fits(algorithm: string, shape: KeyShape, reservedFor: string | undefined): boolean {
  if (shapes.get(algorithm) !== shape) return false
  return reservedFor === undefined || specific(reservedFor) === specific(algorithm)
}

/** RFC 9864 gave `EdDSA` with this curve a name of its own; providers use either for the same signature. */
function specific(algorithm: string): string {
  return algorithm === 'EdDSA' ? 'Ed25519' : algorithm
}
