import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Clock } from '../../../clock.ts'
import type { Arrived } from './signatures.ts'

export interface SimulatedReply {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: unknown
}

/** How tokens are given out. */
export interface TokenRules {
  readonly lifeSeconds?: number
  /** Whether each refresh token is good for one use, and another is given. */
  readonly rotates?: true
  /** Whether a new token ends those before it. */
  readonly onlyLast?: true
  /** What has to be said for a token; answers why not, as an error of OAuth 2. */
  judge(arrived: Arrived, form: Readonly<Record<string, string>>): string | Promise<string | undefined> | undefined
}

/**
 * A service that knows who is calling: `/data` answers to those whom `knows` knows, `/token` and `/login` give out tokens by
 * its rules, which end by its clock. It judges by what arrives, and shares nothing with the signers.
 */
export class SignSimulator {
  readonly #server = createServer((request, response) => void this.#serve(request, response))
  readonly #clock: Clock
  #origin = ''
  #made = 0
  readonly #tokens = new Map<string, number>()
  /** Who may read; whoever has a good token as bearer unless said. */
  knows: (arrived: Arrived) => boolean | Promise<boolean> = (arrived) =>
    this.isGood(/^Bearer (.*)$/.exec(arrived.headers.authorization ?? '')?.[1])
  rules: TokenRules = { judge: () => undefined }
  /** The refresh token that is good now. */
  refreshToken = 'refresh-0'
  /** In place of the answer to a request for a token. */
  instead: SimulatedReply | undefined
  /** Requests for tokens are answered when this is over. */
  hold: Promise<void> | undefined
  readonly arrived: Arrived[] = []

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    this.#origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return this.#origin
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  get origin(): string {
    return this.#origin
  }

  get tokensAsked(): number {
    return this.arrived.filter(({ target }) => /^\/(?:token|login)/.test(target)).length
  }

  isGood(token: unknown): boolean {
    const endsMs = typeof token === 'string' ? this.#tokens.get(token) : undefined
    return endsMs !== undefined && this.#clock.now() < endsMs
  }

  /** Ends all tokens. */
  revoke(): void {
    this.#tokens.clear()
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const { method = '', url: target = '', headers } = request
    const arrived = { method, target, headers, body: Buffer.concat(parts).toString() }
    this.arrived.push(arrived)
    const reply = await this.#reply(arrived)
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(JSON.stringify(reply.body))
  }

  async #reply(arrived: Arrived): Promise<SimulatedReply> {
    if (/^\/(?:token|login)/.test(arrived.target)) {
      await this.hold
      return this.instead ?? (await this.#tokenFor(arrived))
    }
    if (await this.knows(arrived)) return { status: 200, body: { records: [{ id: 1 }] } }
    return { status: 401, body: { error: 'unauthorized' } }
  }

  async #tokenFor(arrived: Arrived): Promise<SimulatedReply> {
    const form = Object.fromEntries(new URLSearchParams(arrived.body))
    const refusal = await this.rules.judge(arrived, form)
    if (refusal !== undefined) return { status: refusal === 'invalid_client' ? 401 : 400, body: { error: refusal } }
    if (form.grant_type === 'refresh_token') {
      if (form.refresh_token !== this.refreshToken) return { status: 400, body: { error: 'invalid_grant' } }
      if (this.rules.rotates) this.refreshToken = `refresh-${this.#made + 1}`
    }
    this.#made += 1
    if (this.rules.onlyLast) this.revoke()
    const token = `token-${this.#made}`
    const { lifeSeconds = 3600 } = this.rules
    this.#tokens.set(token, this.#clock.now() + lifeSeconds * 1000)
    const rotated = this.rules.rotates && { refresh_token: this.refreshToken }
    return { status: 200, body: { access_token: token, data: { token }, expires_in: lifeSeconds, ...rotated } }
  }
}
