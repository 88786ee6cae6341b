import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import snmp from 'net-snmp'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { type Service, startService } from './service.ts'

export interface Snmpd {
  readonly host: '127.0.0.1'
  readonly port: number
  readonly community: string
  /** May read after signing in with both passwords. */
  readonly user: { readonly name: string; readonly password: string; readonly privacyPassword: string }
  stop(): Promise<void>
  /** Starts it again on the same port; a running one is killed first. */
  restart(): Promise<void>
}

const COMMUNITY = 'shopfloor-word'
const USER = { name: 'reader', password: 'auth-pass-12', privacyPassword: 'priv-pass-12' }

export function missingSnmpd(): string | undefined {
  return missingPrograms('snmpd')
}

/** The agent of this machine, with values of the test's own, as `OID TYPE VALUE`. */
export async function startSnmpd(folder: string, values: readonly string[]): Promise<Snmpd> {
  const port = await freePort()
  const config = join(folder, 'agent.conf') // snmpd.conf is what it writes itself
  const lines = [
    `agentaddress udp:127.0.0.1:${port}`,
    `rocommunity ${COMMUNITY} 127.0.0.1`,
    `createUser ${USER.name} SHA ${USER.password} AES ${USER.privacyPassword}`,
    `rouser ${USER.name} priv`,
    'sysLocation hall 3',
    ...values.map((value) => `override ${value}`)
  ]
  writeFileSync(config, `${lines.join('\n')}\n`)
  const own = [`SNMP_PERSISTENT_DIR=${folder}`, 'MIBS=', 'snmpd', '-f', '-Lo', '-C', '-c', config]
  const args = [...own, '-p', join(folder, 'pid')]
  const launch = () => startService({ command: 'env', args, folder }, () => answersTo(port))
  let service: Service = await launch()
  return {
    host: '127.0.0.1',
    port,
    community: COMMUNITY,
    user: USER,
    stop: () => service.stop(),
    async restart() {
      await service.stop('SIGKILL')
      service = await launch()
    }
  }
}

function answersTo(port: number): Promise<true> {
  const options = { port, transport: 'udp4', version: snmp.Version2c, timeout: 200, retries: 0 } as const
  const session = snmp.createSession('127.0.0.1', COMMUNITY, options)
  return new Promise<true>((resolve, reject) => {
    session.get(['1.3.6.1.2.1.1.3.0'], (error) => (error === null ? resolve(true) : reject(error)))
  }).finally(() => session.close())
}
