import { mkdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { freePort } from '../free-port.ts'
import { missingFile, missingPrograms } from './installed.ts'
import { startService } from './service.ts'

const program = '/usr/share/java/zookeeper.jar'

export interface Zookeeper {
  readonly port: number
  stop(): Promise<void>
}

export function missingZookeeper(): string | undefined {
  return missingPrograms('java') ?? missingFile('zookeeper', program)
}

/** A ZooKeeper of one, in a folder below this one. */
export async function startZookeeper(parent: string): Promise<Zookeeper> {
  const folder = join(parent, 'zookeeper')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const config = join(folder, 'zoo.cfg')
  writeFileSync(
    config,
    `tickTime=2000
dataDir=${folder}
clientPort=${port}
clientPortAddress=127.0.0.1
admin.enableServer=false
4lw.commands.whitelist=srvr
`
  )
  const main = 'org.apache.zookeeper.server.quorum.QuorumPeerMain'
  // It lives for less than a minute, so optimised code would not pay; and no data has to survive.
  const options = ['-Xmx256m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dzookeeper.forceSync=no']
  const service = await startService(
    { command: 'java', args: [...options, '-cp', program, main, config], folder },
    () => isServing(port)
  )
  // No data has to be kept.
  return { port, stop: () => service.stop('SIGKILL') }
}

/** Whether it serves: it answers earlier than that. */
async function isServing(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  socket.setTimeout(1000, () => socket.destroy(new Error('no answer')))
  socket.write('srvr')
  return (await text(socket)).includes('Mode: standalone')
}
