import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** Passwords by user; `garbage` answers a first message of SCRAM with what is none. */
export interface SaslUsers {
  readonly passwords: Readonly<Record<string, string>>
  readonly garbage?: boolean
}

interface Sasl {
  readonly isDone: boolean
  /** Undefined where a broker would close the connection. */
  answer(api: number, version: number, body: Buffer): Buffer | undefined
}

const HANDSHAKE = 17
const AUTHENTICATE = 36
const UNSUPPORTED_MECHANISM = 33
const AUTHENTICATION_FAILED = 58
const MECHANISMS = ['PLAIN', 'SCRAM-SHA-256', 'SCRAM-SHA-512']
const ITERATIONS = 4096

/** The broker's side of a login: RFC 4616 and RFC 5802 within Kafka's messages. */
export function startSasl({ passwords, garbage = false }: SaslUsers): Sasl {
  let isDone = false
  let step: ((message: string) => string | undefined) | undefined

  function handshake(mechanism: string): Buffer {
    const isKnown = MECHANISMS.includes(mechanism)
    if (isKnown) step = mechanism === 'PLAIN' ? plain : firstOfScram(mechanism.slice('SCRAM-'.length))
    return Buffer.concat([
      int16(isKnown ? 0 : UNSUPPORTED_MECHANISM),
      int32(MECHANISMS.length),
      ...MECHANISMS.map(text)
    ])
  }

  function plain(message: string): string | undefined {
    const [, user = '', password] = message.split('\0')
    isDone = password !== undefined && passwords[user] === password
    return isDone ? '' : undefined
  }

  function firstOfScram(hash: string) {
    return (first: string): string | undefined => {
      const bare = first.slice('n,,'.length)
      const { n = '', r } = attributes(bare)
      const salt = randomBytes(16)
      const challenge = `r=${r}${randomBytes(12).toString('hex')},s=${salt.toString('base64')},i=${ITERATIONS}`
      step = lastOfScram(hash, { bare, challenge, salt, password: passwords[n] })
      return garbage ? 'what?' : challenge
    }
  }

  function lastOfScram(
    hash: string,
    given: { bare: string; challenge: string; salt: Buffer; password: string | undefined }
  ) {
    return (last: string): string | undefined => {
      const algorithm = hash.replace('-', '').toLowerCase()
      const hmac = (key: Buffer, data: string) => createHmac(algorithm, key).update(data).digest()
      const length = createHash(algorithm).digest().length
      const salted = pbkdf2Sync(given.password ?? '', given.salt, ITERATIONS, length, algorithm)
      const clientKey = hmac(salted, 'Client Key')
      const stored = createHash(algorithm).update(clientKey).digest()
      const withoutProof = last.slice(0, last.lastIndexOf(',p='))
      const signed = `${given.bare},${given.challenge},${withoutProof}`
      const signature = hmac(stored, signed)
      const proof = Buffer.from(clientKey.map((byte, i) => byte ^ (signature[i] as number))).toString('base64')
      isDone = given.password !== undefined && last.endsWith(`,p=${proof}`)
      return isDone ? `v=${hmac(hmac(salted, 'Server Key'), signed).toString('base64')}` : undefined
    }
  }

  return {
    get isDone() {
      return isDone
    },
    answer(api, version, body) {
      if (api === HANDSHAKE) return handshake(body.subarray(2).toString())
      if (api !== AUTHENTICATE || step === undefined) return undefined
      const said = step(body.subarray(4).toString())
      const lifetime = version >= 1 ? [Buffer.alloc(8)] : []
      if (said === undefined) return Buffer.concat([int16(AUTHENTICATION_FAILED), text('no'), int32(0), ...lifetime])
      return Buffer.concat([int16(0), int16(-1), int32(said.length), Buffer.from(said), ...lifetime])
    }
  }
}

function attributes(message: string): Partial<Record<string, string>> {
  return Object.fromEntries(message.split(',').map((part) => [part.slice(0, 1), part.slice(2)]))
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function text(value: string): Buffer {
  return Buffer.concat([int16(value.length), Buffer.from(value)])
}
