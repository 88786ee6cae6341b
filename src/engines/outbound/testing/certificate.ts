import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

const SEQUENCE = 0x30
const SET = 0x31
const ECDSA_WITH_SHA256 = der(SEQUENCE, Buffer.from('06082a8648ce3d040302', 'hex'))
const COMMON_NAME = Buffer.from('0603550403', 'hex')
const SUBJECT_ALT_NAME = Buffer.from('0603551d11', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('0603551d13', 'hex')
const YES = Buffer.from('0101ff', 'hex')
const IS_AUTHORITY = der(SEQUENCE, BASIC_CONSTRAINTS, YES, der(0x04, der(SEQUENCE, YES)))

/** In the past, as a certificate has it. */
export const PAST = '210101000000Z'
const FUTURE = '491231235959Z'

export interface Certificate {
  /** Both as PEM. */
  readonly key: string
  readonly cert: string
}

interface Pair extends Certificate {
  readonly privateKey: KeyObject
}

/** A self-signed certificate for one DNS name, written out by hand since Node can only read them. */
export function selfSigned(name: string, validUntil = FUTURE): Certificate {
  const { key, cert } = certify(name, validUntil, altNameOf(name))
  return { key, cert }
}

/** An authority of one’s own, which nobody trusts who was not told to. */
export function createAuthority(name = 'An authority of the plant') {
  const own = certify(name, FUTURE, IS_AUTHORITY)
  return {
    cert: own.cert,
    /** A certificate for one DNS name, which the authority vouches for. */
    certify(host: string, validUntil = FUTURE): Certificate {
      const { key, cert } = certify(host, validUntil, altNameOf(host), { name, privateKey: own.privateKey })
      return { key, cert }
    }
  }
}

function certify(
  name: string,
  validUntil: string,
  extension: Buffer,
  issuer?: { readonly name: string; readonly privateKey: KeyObject }
): Pair {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const content = der(
    SEQUENCE,
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(issuer?.name ?? name),
    der(SEQUENCE, der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from(validUntil))),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, der(SEQUENCE, extension))
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', content, issuer?.privateKey ?? privateKey))
  const base64 = der(SEQUENCE, content, ECDSA_WITH_SHA256, signature).toString('base64')
  return {
    privateKey,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replace(/.{64}(?=.)/g, '$&\n')}\n-----END CERTIFICATE-----\n`
  }
}

const nameOf = (name: string) => der(SEQUENCE, der(SET, der(SEQUENCE, COMMON_NAME, der(0x0c, Buffer.from(name)))))

function altNameOf(name: string): Buffer {
  return der(SEQUENCE, SUBJECT_ALT_NAME, der(0x04, der(SEQUENCE, der(0x82, Buffer.from(name)))))
}

function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
