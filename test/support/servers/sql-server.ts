import { connect } from 'node:net'
import type { Certificate } from '../../../src/engines/outbound/testing/certificate.ts'

export const CERTIFIED_NAME = 'database.example'

/** A database server on the loopback, with an empty database of the name `database`. */
export interface SqlServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** Its certificate for secure connections: self-signed, for this name. */
  readonly certificate: string
  readonly certifiedName: string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Starts it again, with the data it has kept, whether it runs or not. */
  restart(): Promise<void>
  /** Starts it again with another certificate. */
  present(certificate: Certificate): Promise<void>
}

/** A probe: succeeds if something accepts connections there. */
export async function loopbackProbe(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.destroy()
  return true
}
