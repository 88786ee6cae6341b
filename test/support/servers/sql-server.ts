import { connect } from 'node:net'

export const CERTIFIED_NAME = 'database.example'

/** A database server on the loopback, with an empty database of the name `database`. */
export interface SqlServer {
  readonly host: string
  readonly port: number
  readonly user: string
  readonly password: string
  readonly database: string
  /** What it shows to those who want a secure connection: signed by itself, for this name. */
  readonly certificate: string
  readonly certifiedName: string
  stop(signal?: NodeJS.Signals): Promise<void>
  /** Again, with what it has kept, whether it runs or not. */
  restart(): Promise<void>
}

/** A probe: something accepts connections there and says the first word, or waits for it. */
export async function loopbackProbe(port: number): Promise<true> {
  const socket = connect(port, '127.0.0.1')
  await new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
  socket.destroy()
  return true
}
