import { ManualClock } from '../../../../../test/support/manual-clock.ts'
import { createOutbound } from '../../../outbound/index.ts'
import type { Authentication } from '../entry.ts'
import type { Answer, Outgoing, OutgoingBody, Signer } from '../outgoing.ts'
import { send } from '../send.ts'
import { type SignNeeds, signerOf } from '../sign/index.ts'
import { TokenCache } from '../sign/token-cache.ts'
import type { Scope } from '../template/template.ts'
import { SignSimulator } from './sign-simulator.ts'

/** A simulator with what signers need to talk to it. */
export class Signing {
  readonly clock = new ManualClock()
  readonly service = new SignSimulator(this.clock)
  readonly #outbound = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })
  readonly signal = new AbortController().signal

  async start(): Promise<this> {
    await this.service.start()
    return this
  }

  async stop(): Promise<void> {
    await this.#outbound.close()
    this.service.stop()
  }

  readonly send = (request: Outgoing, signal: AbortSignal): Promise<Answer> => send(this.#outbound, request, signal)

  signer(authentication: Authentication, scope: Scope, needs: Partial<SignNeeds> = {}): Signer {
    return signerOf(
      authentication,
      { origin: this.service.origin, ...scope },
      { send: this.send, clock: this.clock, cache: new TokenCache(), ...needs }
    )
  }

  request(target = '/data', body?: OutgoingBody): Outgoing {
    const url = new URL(`${this.service.origin}${target}`)
    return { method: body === undefined ? 'GET' : 'POST', url, headers: {}, body }
  }

  /** The status of a request that is signed, and signed again where its token is refused, as the caller does it. */
  async ask(signer: Signer, request = this.request()): Promise<number> {
    const signed = await signer.sign(request, this.signal)
    const { status } = await this.send(signed, this.signal)
    if (status !== 401 || !signer.renew(signed)) return status
    return (await this.send(await signer.sign(request, this.signal), this.signal)).status
  }
}
