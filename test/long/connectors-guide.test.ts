// Once: a document and the commands in it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { STEP_NAMES, sources } from '../../src/engines/drivers/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { makeFolder } from '../support/servers/service.ts'
import { startSqlPostgres } from '../support/servers/sql-postgres.ts'
import type { SqlServer } from '../support/servers/sql-server.ts'
import { assertShows, runInShell, stepsIn } from '../support/shell-steps.ts'

const guide = readFileSync(join(import.meta.dirname, '../../docs/connectors.md'), 'utf8')
const PASSWORD = 'guide-1'

describe('the guide to connectors', () => {
  let test: TestApp
  let server: SqlServer

  before(async () => {
    test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    server = await startSqlPostgres(makeFolder('connectors-guide'))
    const client = new pg.Client(server)
    await client.connect()
    await client.query(`CREATE TABLE machines AS SELECT 1 AS id, 'press 1' AS name`)
    await client.query(`CREATE USER reader PASSWORD '${PASSWORD}'`)
    await client.query('GRANT SELECT ON machines TO reader')
    await client.end()
  })
  after(async () => {
    await test.close()
    await server.stop()
  })

  const skip = spawnSync('curl', ['--version']).error !== undefined && 'needs curl'
  it('shows what the commands in it answer, as often as they are walked', { skip }, async () => {
    const steps = stepsIn(guide)
    const { host, port, database } = server
    for (const run of ['1', '2']) {
      const env = {
        BASE: test.url,
        TOKEN: await test.token('ada', 'editor'),
        RUN: run,
        DB_HOST: host,
        DB_PORT: String(port),
        DB_NAME: database,
        DB_USER: 'reader',
        DB_PASSWORD: PASSWORD
      }
      const answers = await runInShell(
        steps.map(({ script }) => script),
        env
      )
      for (const [index, { script, answer }] of steps.entries()) {
        if (answer !== undefined) assertShows(JSON.parse(answers[index] as string), answer, script)
      }
    }
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 5)
  })

  it('names every source and every step', () => {
    for (const { id } of sources()) assert.ok(guide.includes(`\`${id}\``), `docs/connectors.md needs ${id}`)
    for (const step of STEP_NAMES) assert.match(guide, new RegExp(`^\\| \`${step}\` `, 'm'), step)
  })
})
