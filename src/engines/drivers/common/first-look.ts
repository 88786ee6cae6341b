import { once } from 'node:events'
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { systemClock } from '../../clock.ts'
import type { Outbound } from '../../outbound/index.ts'
import { SourceError } from '../errors.ts'
import type { Step } from '../index.ts'
import { GREETINGS, type Greeting } from './greetings.ts'
import { expired, unencrypted } from './tls.ts'

/** Whoever speaks a protocol begins to within this; clients wait for longer, and then say no more than that nothing came. */
const LOOK_LIMIT_MS = 5000

interface Looked {
  readonly host: string
  readonly port: number
  readonly tls: boolean
}

interface Look {
  /** How the protocol begins, where that is not with encryption at once. */
  readonly greeting?: Greeting | undefined
  /** The field that is at fault where there is no encryption, or a certificate that has expired. */
  readonly pointer?: string
}

/**
 * The steps of a source, of which `tls` first takes a look of its own: whether what is there begins to encrypt at all, and until when its
 * certificate is good. Nothing of the configuration is sent. Whatever else is wrong is told by the client, which checks everything.
 */
export function withFirstLook(
  steps: readonly Step[],
  looked: Looked,
  outbound: Outbound,
  { greeting, pointer = '/tls' }: Look = {}
): Step[] {
  // Without encryption there is only to see whether somebody speaks first who has to.
  const at = looked.tls ? 'tls' : GREETINGS[greeting ?? 'none'].isSpoken ? 'authenticate' : undefined
  return steps.map((step) => {
    if (step.name !== at) return step
    return {
      name: step.name,
      async run(signal) {
        await look(looked, outbound, greeting ?? 'none', pointer, signal)
        return step.run(signal)
      }
    }
  })
}

async function look(
  { host, port, tls }: Looked,
  outbound: Outbound,
  greeting: Greeting,
  pointer: string,
  signal: AbortSignal
) {
  const { address } = await outbound.resolve(host, port)
  const limit = AbortSignal.timeout(LOOK_LIMIT_MS)
  const over = new AbortController()
  const ending = AbortSignal.any([signal, limit, over.signal])
  const socket = connect({ host: address, port })
  socket.on('error', () => {}).once('close', () => over.abort())
  try {
    await once(socket, 'connect', { signal: ending })
    await GREETINGS[greeting].exchange(socket, tls, ending)
    if (tls) await lookAtCertificate(socket, host, pointer, ending)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof SourceError) throw error
    if (limit.aborted) throw GREETINGS[greeting].stranger() ?? unencrypted(pointer)
    // The client says better what is wrong.
  } finally {
    socket.destroy()
  }
}

/** Takes any certificate, because nothing is sent: whether it is trusted is for the client to judge. */
async function lookAtCertificate(socket: Socket, host: string, pointer: string, signal: AbortSignal): Promise<void> {
  const secure = connectTls({ socket, servername: isIP(host) === 0 ? host : '', rejectUnauthorized: false })
  try {
    secure.on('error', () => {})
    await once(secure, 'secureConnect', { signal })
    const until = Date.parse(secure.getPeerCertificate().valid_to)
    if (until < systemClock.now()) throw expired(until, pointer)
  } finally {
    secure.destroy()
  }
}
