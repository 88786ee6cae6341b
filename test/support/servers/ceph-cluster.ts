import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { cephConfig, cephKeyring } from './ceph-config.ts'
import { type Command, makeFolder, removeFolder, runProgram, type Service, startService } from './service.ts'

/** The parts that every Ceph service needs. */
export interface CephCluster {
  /** A Ceph program, set up for this cluster. */
  command(name: string, ...args: readonly string[]): Command
  stop(): Promise<void>
}

/** A monitor and an object server, which keeps everything in memory. */
export async function startCephCluster(): Promise<CephCluster> {
  const folder = makeFolder('ceph')
  const config = join(folder, 'ceph.conf')
  const command = (name: string, ...args: readonly string[]) => ({
    command: name,
    args: ['-c', config, ...args],
    folder
  })
  const [clusterId, storeId, monitorPort] = [randomUUID(), randomUUID(), await freePort()]
  writeFileSync(config, cephConfig(folder, clusterId, monitorPort))
  const key = await runProgram({ command: 'ceph-authtool', args: ['--gen-print-key'], folder })
  writeFileSync(join(folder, 'keyring'), cephKeyring(key.trim()), { mode: 0o600 })
  for (const name of ['mon', 'osd']) mkdirSync(join(folder, name))

  async function startMonitor(): Promise<Service> {
    const map = join(folder, 'monmap')
    const members = ['--create', '--addv', 'a', `[v2:127.0.0.1:${monitorPort}]`, '--fsid', clusterId, map]
    await runProgram({ command: 'monmaptool', args: members, folder })
    const initial = ['--mkfs', '--monmap', map, '--keyring', join(folder, 'keyring')]
    await runProgram(command('ceph-mon', '-i', 'a', ...initial))
    const monitor = await startService(command('ceph-mon', '-i', 'a', '-f'), () => true)
    await runProgram(command('ceph', 'osd', 'new', storeId, '0')) // waits for the monitor
    return monitor
  }

  const [monitor] = await Promise.all([
    startMonitor(),
    runProgram(command('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', storeId, '--no-mon-config'))
  ])
  // A gateway that starts before the object server is up would wait five seconds for a retry.
  const objects = await startService(command('ceph-osd', '-i', '0', '-f'), (output) => output.includes('-> active'))
  return {
    command,
    async stop() {
      await Promise.all([monitor, objects].map((service) => service.stop('SIGKILL')))
      removeFolder(folder)
    }
  }
}
