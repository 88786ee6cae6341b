import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Certificate, selfSigned } from '../../../src/engines/outbound/testing/certificate.ts'
import { freePort } from '../free-port.ts'
import { missingPrograms } from './installed.ts'
import { runProgram, startService } from './service.ts'
import { CERTIFIED_NAME, loopbackProbe, type SqlServer } from './sql-server.ts'

const USER = 'millrace'
/** With characters that SQL has to escape. */
const PASSWORD = "p@ss/w'ord\\%?"

export function missingMariadb(): string | undefined {
  return missingPrograms('mariadbd', 'mariadb-install-db')
}

/** Settings with which changes can be read from its log. */
export const LOGS_CHANGES = ['--log-bin=binlog', '--server-id=1', '--binlog-format=ROW', '--binlog-row-metadata=FULL']

/** A MariaDB in a folder below this one, which stays when it has stopped. `more` are settings of its own. */
export async function startMariadb(parent: string, more: readonly string[] = []): Promise<SqlServer> {
  const folder = join(parent, 'mariadb')
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const data = `--datadir=${join(folder, 'data')}`
  const user = process.getuid?.() === 0 ? ['--user=root'] : []
  await runProgram({
    command: 'mariadb-install-db',
    args: ['--no-defaults', ...user, data, '--auth-root-authentication-method=normal', '--skip-test-db'],
    folder
  })
  const put = (certificate: Certificate) => {
    writeFileSync(join(folder, 'key.pem'), certificate.key)
    writeFileSync(join(folder, 'certificate.pem'), certificate.cert)
  }
  const first = selfSigned(CERTIFIED_NAME)
  put(first)
  const settings = [
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    `--socket=${join(folder, 'socket')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--ssl-key=${join(folder, 'key.pem')}`,
    `--ssl-cert=${join(folder, 'certificate.pem')}`,
    '--innodb-flush-log-at-trx-commit=0',
    '--skip-name-resolve',
    // An unusual zone, so that code which forgets to name its zone is found.
    '--default-time-zone=+09:00',
    ...more
  ]
  const launch = () =>
    startService({ command: 'mariadbd', args: ['--no-defaults', ...user, data, ...settings], folder }, () =>
      loopbackProbe(port)
    )
  let service = await launch()
  await administer(port, [
    'create database test character set utf8mb4',
    `create user ${USER} identified by '${PASSWORD.replaceAll(/['\\]/g, '\\$&')}'`,
    `grant all on *.* to ${USER}`
  ])
  const restart = async () => {
    await service.stop()
    service = await launch()
  }
  return {
    host: '127.0.0.1',
    port,
    user: USER,
    password: PASSWORD,
    database: 'test',
    certificate: first.cert,
    certifiedName: CERTIFIED_NAME,
    stop: (signal) => service.stop(signal),
    restart,
    async present(certificate) {
      put(certificate)
      await restart()
    }
  }
}

/** Runs statements as the user without a password. */
async function administer(port: number, statements: readonly string[]): Promise<void> {
  const { createConnection } = await import('mysql2/promise')
  const connection = await createConnection({ host: '127.0.0.1', port, user: 'root' })
  try {
    for (const statement of statements) await connection.query(statement)
  } finally {
    await connection.end()
  }
}
