import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { Kysely } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../../test/support/database.ts'
import { makeSigningKey } from '../../../test/support/oidc-provider.ts'
import { runCliHere } from '../../../test/support/process.ts'
import type { Finding } from '../../finding.ts'
import { examine } from './examine.ts'
import { checkDescriptors, checkRuntime } from './runtime.ts'

async function findings(env: Record<string, string>): Promise<Finding[]> {
  const found: Finding[] = []
  await examine(env, false, (finding) => found.push(finding))
  return found
}

function lines(found: readonly Finding[]): string {
  return found.map(({ level, subject, message }) => `${level} ${subject}: ${message}`).join('\n')
}

const FREE_PORT = '0'

/** With a shared database the doctor warns of data that is not shared, which these tests are not about. */
const isExpected = ({ level, subject }: Finding) =>
  level === 'ok' || (postgresUrl !== undefined && level === 'warn' && ['objects', 'series'].includes(subject))

describe('the doctor', () => {
  let test: TestApp
  let database: TestDatabase
  let env: Record<string, string>
  let running: Record<string, string>

  before(async () => {
    database = await createTestDatabase()
    const shared = database.databaseUrl === undefined ? undefined : { DATABASE_URL: database.databaseUrl }
    env = { DATA_DIR: database.folder, PORT: FREE_PORT, ...shared }
  })
  after(() => test.close())

  it('finds nothing wrong before the first start, and leaves nothing behind', async () => {
    const fresh = { ...env, DATA_DIR: join(database.folder, 'not', 'yet') }
    const found = await findings(fresh)
    assert.ok(found.every(isExpected) && found.length >= 8, lines(found))
    assert.ok(!existsSync(join(database.folder, 'not')))
  })

  it('finds nothing wrong with a server that runs', async (t) => {
    test = await startTestApp({ database })
    await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'one' } })
    await test.call('GET', '/api/nothing', { as: 'admin' })
    running = { ...env, PORT: new URL(test.url).port }
    const found = await findings(running)
    assert.ok(found.every(isExpected) && found.length >= 10, lines(found))
    assert.match(lines(found), /ok server: version \S+ at http:\S+ is ok/)
    assert.match(lines(found), /ok schema: up to date/)
    assert.match(lines(found), /ok vault: opens/)
    assert.match(lines(found), /ok sql fence: functions and relations by list, .*settings locked/)
    const { code, stdout } = await runCliHere(t, ['doctor'], running)
    assert.equal(code, 0)
    assert.match(stdout, /^ok {4}node {9}\d+\..*\n(.*\n)*\n0 failed, [02] warnings, \d+ ok\n$/)
  })

  it('tells every wrong setting', async (t) => {
    const { code, stdout } = await runCliHere(t, ['doctor'], {
      ...env,
      PORT: 'x',
      SECRET_KEY: 'short',
      HOST: '::1',
      RATE_LIMITS: '5'
    })
    assert.equal(code, 1)
    assert.match(stdout, /^FAIL {2}settings +PORT must/m)
    assert.match(stdout, /^FAIL {2}settings +SECRET_KEY must have 32/m)
    assert.match(stdout, /^warn {2}settings +RATE_LIMITS is not a setting and is ignored; RATE_LIMIT is one/m)
    assert.doesNotMatch(stdout, /short/)
  })

  it('warns of another Node than the one that comes with the project', () => {
    assert.equal(checkRuntime('20.1.0').level, 'warn')
    assert.equal(checkRuntime('26.0.0').level, 'ok')
  })

  it('warns of few open files, and says how many connections they make', () => {
    assert.equal(checkDescriptors(65_536).level, 'ok')
    const few = checkDescriptors(1024)
    assert.equal(few.level, 'warn')
    assert.match(few.message, /1024 open files.*460 connections.*ulimit -n/)
  })

  it('tells that the port is taken', async () => {
    const other = await listen(createServer((_request, response) => response.end('hello')))
    assert.match(lines(await findings({ ...env, PORT: other.port })), /FAIL server: .* set another PORT/)
    other.close()
    assert.match(lines(await findings({ ...running, HOST: '203.0.113.1' })), /FAIL server: .* set another HOST/)
  })

  // With a shared database no process locks the folder.
  const embedded = postgresUrl === undefined
  it(`tells ${embedded ? 'another millrace at the port from its own' : 'replicas from others'}`, async () => {
    if (!embedded) {
      assert.match(lines(await findings({ ...running, DATA_DIR: tmpdir() })), /ok server: version/)
      return
    }
    const elsewhere = { ...running, DATA_DIR: join(database.folder, 'elsewhere') }
    assert.match(lines(await findings(elsewhere)), /FAIL server: the millrace at .* does not run on/)
    const other = await listen(createServer())
    other.close()
    assert.match(lines(await findings({ ...running, PORT: other.port })), /warn server: another process holds/)
  })

  it('tells a database that is newer, and one that is older', async () => {
    const table = { id: 'zoo/001-animals', applied_at: '2030-01-01T00:00:00.000Z' }
    await test.platform.metadata.transaction((tx) => migrations(tx).insertInto('migrations').values(table).execute())
    assert.match(lines(await findings(running)), /FAIL schema: .*newer version \(zoo\/001-animals\)/)
    const remove = (id: string) => (tx: unknown) =>
      migrations(tx).deleteFrom('migrations').where('id', '=', id).execute()
    await test.platform.metadata.transaction(remove(table.id))
    await test.platform.metadata.transaction(remove('audit/001-audit'))
    assert.match(lines(await findings(running)), /warn schema: audit\/001-audit missing/)
    const back = { ...table, id: 'audit/001-audit' }
    await test.platform.metadata.transaction((tx) => migrations(tx).insertInto('migrations').values(back).execute())
  })

  it('tells a secret that others can read, that is missing, or that is another one', async () => {
    const file = join(database.folder, 'secret.key')
    chmodSync(file, 0o644)
    assert.match(lines(await findings(running)), /warn secret: others can read .*mode 644.*chmod 600/)
    chmodSync(file, 0o600)
    renameSync(file, `${file}.away`)
    assert.match(lines(await findings(running)), /FAIL secret: There is no .*secret\.key: put it back/)
    assert.ok(!existsSync(file))
    renameSync(`${file}.away`, file)
    const other = lines(await findings({ ...running, SECRET_KEY: 'another-secret-'.repeat(4) }))
    assert.match(other, /FAIL vault: .*not the one that this database was sealed with/)
    assert.doesNotMatch(other, /another-secret|tampered/)
  })

  it('tells an audit trail that ends too early', async () => {
    await (await test.app.service('audit')).writeCheckpoints()
    const file = join(database.folder, 'audit-checkpoints.ndjson')
    const kept = readFileSync(file, 'utf8')
    const anchor = JSON.parse(kept.split('\n')[0] as string)
    writeFileSync(file, `${kept}${JSON.stringify({ ...anchor, seq: 1_000_000 })}\n`)
    assert.match(lines(await findings(running)), /FAIL audit trail: .*'millrace audit verify' says where/)
    writeFileSync(file, kept)
    assert.match(lines(await findings(running)), /ok audit trail: newest checkpoint \S+, at row \d+ of lane \d+/)
  })

  it('tells a database that can’t be read, without its password', async () => {
    const url = 'postgres://millrace:hush@127.0.0.1:1/millrace?password=hush'
    const unreachable = lines(await findings({ ...env, DATABASE_URL: url }))
    assert.match(unreachable, /FAIL database: postgres:\/\/millrace@127\.0\.0\.1:1\/millrace does not answer: .*ECONN/)
    assert.doesNotMatch(unreachable, /hush/)
    const folder = mkdtempSync(join(tmpdir(), 'millrace-doctor-test-'))
    writeFileSync(join(folder, 'metadata.db'), 'not a database at all, but quite some text '.repeat(50))
    assert.match(
      lines(await findings({ DATA_DIR: folder, PORT: FREE_PORT })),
      /FAIL database: .*not a database; restore it from a backup/
    )
    rmSync(folder, { recursive: true })
  })

  it('tells a folder that is none, and a restore that was interrupted', async () => {
    const file = join(database.folder, 'file')
    writeFileSync(file, '')
    assert.match(lines(await findings({ ...env, DATA_DIR: file })), /FAIL data folder: .* is a file/)
    rmSync(file)
    const mark = join(database.folder, 'restore-unfinished')
    writeFileSync(mark, '')
    assert.match(lines(await findings(running)), /FAIL data folder: a restore was interrupted/)
    rmSync(mark)
  })

  it('looks at the identity provider and at its clock', async () => {
    const { publicJwk } = await makeSigningKey('ES256')
    let skewMs = 0
    const provider = await listen(
      createServer((_request, response) => {
        response.setHeader('date', new Date(Date.now() + skewMs).toUTCString())
        response.end(JSON.stringify({ keys: [publicJwk] }))
      })
    )
    const address = `http://127.0.0.1:${provider.port}/keys`
    const oidc = { ...running, OIDC_AUDIENCE: 'millrace', JWKS_URL: address }
    const found = lines(await findings(oidc))
    assert.match(found, /warn identity: JWKS_URL without OIDC_ISSUER/)
    assert.match(found, /ok identity: 1 signing key\(s\) at http:\/\/127\.0\.0\.1:\d+\/keys\nok clock/)
    skewMs = 120_000
    const late = lines(await findings({ ...oidc, OIDC_ISSUER: 'https://id.example' }))
    assert.match(late, /FAIL clock: it differs by 1\d\d s from that of the identity provider/)
    assert.doesNotMatch(late, /warn identity/)
    provider.close()
    const issuer = { ...running, OIDC_AUDIENCE: 'millrace', OIDC_ISSUER: `http://127.0.0.1:${provider.port}` }
    assert.match(lines(await findings(issuer)), /FAIL identity: No keys from .*ECONNREFUSED.*Check OIDC_ISSUER/)
  })
})

function migrations(tx: unknown): Kysely<{ migrations: { id: string; applied_at: string } }> {
  return tx as Kysely<{ migrations: { id: string; applied_at: string } }>
}

async function listen(server: Server): Promise<{ port: string; close(): void }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port: String(port),
    close() {
      server.closeAllConnections()
      server.close()
    }
  }
}
