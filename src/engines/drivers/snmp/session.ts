import snmp, { type Session, type User, type Varbind } from 'net-snmp'
import { OutboundError } from '../../outbound/errors.ts'
import type { Outbound } from '../../outbound/index.ts'
import type { SourceError } from '../errors.ts'
import { fromOutbound } from '../reach.ts'
import type { SnmpSettings, SnmpUser } from './config.ts'
import { fromSnmp, isAnswer, isTooBig } from './errors.ts'

/** How long an answer may take, and how often it is asked again. */
const TIMEOUT_MS = 1500
const RETRIES = 2
/** Names in one question: an answer has to fit a packet. */
const MAX_NAMES = 20
const MAX_ANSWERS = 60
/** Every agent has it: how long it is up. */
const UPTIME = '1.3.6.1.2.1.1.3.0'

type Asked<T> = (session: Session, callback: (error: Error | null, answer: T) => void) => void

/** Questions to an agent, which end with the signal. */
export class Agent {
  readonly #session: Session
  readonly #signal: AbortSignal
  #isOpen = true

  private constructor(session: Session, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
    // A packet that is no SNMP is as good as none.
    session.on('error', () => {})
    signal.addEventListener('abort', this.close, { once: true })
  }

  static async open(settings: SnmpSettings, outbound: Outbound, signal: AbortSignal): Promise<Agent> {
    return new Agent(await openSession(settings, outbound, settings.user && toUser(settings.user)), signal)
  }

  /** Whether anything answers at all, whoever asks: nobody is signed in for that in version 3. */
  static async reach(settings: SnmpSettings, outbound: Outbound, signal: AbortSignal): Promise<void> {
    const nobody = settings.user && { name: '', level: snmp.SecurityLevel.noAuthNoPriv }
    const agent = new Agent(await openSession(settings, outbound, nobody), signal)
    try {
      await agent.#ask<Varbind[]>((session, callback) => session.get([UPTIME], callback))
    } catch (error) {
      if (!isAnswer(error)) throw agent.#told(error)
    } finally {
      agent.close()
    }
  }

  async check(): Promise<void> {
    await this.get([UPTIME])
  }

  /** The values of names, in their order. */
  async get(oids: readonly string[]): Promise<Varbind[]> {
    const found: Varbind[] = []
    for (let at = 0; at < oids.length; at += MAX_NAMES)
      found.push(...(await this.#getSome(oids.slice(at, at + MAX_NAMES))))
    return found
  }

  /** What follows each of the names, some at a time; fewer where the agent has no room. */
  async next(oids: readonly string[]): Promise<Varbind[][]> {
    const some = oids.slice(0, MAX_NAMES)
    const repetitions = Math.max(1, Math.floor(MAX_ANSWERS / some.length))
    try {
      return await this.#ask((session, callback) => session.getBulk(some, 0, repetitions, callback))
    } catch (error) {
      if (isTooBig(error) && some.length > 1) return this.next(some.slice(0, Math.ceil(some.length / 2)))
      throw this.#told(error)
    }
  }

  readonly close = (): void => {
    this.#signal.removeEventListener('abort', this.close)
    if (this.#isOpen) this.#session.close()
    this.#isOpen = false
  }

  async #getSome(oids: readonly string[]): Promise<Varbind[]> {
    try {
      return await this.#ask<Varbind[]>((session, callback) => session.get(oids, callback))
    } catch (error) {
      if (!isTooBig(error) || oids.length === 1) throw this.#told(error)
      const half = Math.ceil(oids.length / 2)
      return [...(await this.#getSome(oids.slice(0, half))), ...(await this.#getSome(oids.slice(half)))]
    }
  }

  /** Why a question failed; where the signal ended it, that is the reason. */
  #told(error: unknown): SourceError {
    this.#signal.throwIfAborted()
    return fromSnmp(error)
  }

  #ask<T>(work: Asked<T>): Promise<T> {
    this.#signal.throwIfAborted()
    return new Promise<T>((resolve, reject) => {
      work(this.#session, (error, answer) => (error === null ? resolve(answer) : reject(error)))
    })
  }
}

async function openSession({ host, port, community }: SnmpSettings, outbound: Outbound, user: User | undefined) {
  const { address, family } = await outbound.resolve(host, port).catch((error) => {
    throw error instanceof OutboundError ? fromOutbound(error) : error
  })
  const transport: 'udp4' | 'udp6' = family === 4 ? 'udp4' : 'udp6'
  const options = { port, transport, timeout: TIMEOUT_MS, retries: RETRIES }
  return user === undefined
    ? snmp.createSession(address, community ?? '', { ...options, version: snmp.Version2c })
    : snmp.createV3Session(address, user, { ...options, version: snmp.Version3 })
}

function toUser({ name, digest, password, cipher, privacyPassword }: SnmpUser): User {
  const { SecurityLevel, AuthProtocols, PrivProtocols } = snmp
  if (password === '') return { name, level: SecurityLevel.noAuthNoPriv }
  const proven = { name, authProtocol: AuthProtocols[digest] ?? '', authKey: password }
  if (privacyPassword === '') return { ...proven, level: SecurityLevel.authNoPriv }
  return {
    ...proven,
    level: SecurityLevel.authPriv,
    privProtocol: PrivProtocols[cipher] ?? '',
    privKey: privacyPassword
  }
}
