import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { test } from 'node:test'
import { eventually } from '../../../../../test/support/eventually.ts'
import { listen } from '../../../outbound/testing/servers.ts'
import type { Given } from '../../testing/contract.ts'
import { freshName, open, readRows } from '../../testing/under-test.ts'

/** Tests of what only happens over HTTP. */
export function serversOfClickhouse(given: Given): void {
  test('an answer that breaks off is never taken for a whole one', async () => {
    // The error comes long after the first rows were sent with status 200.
    const query = `select number, toString(number) as t, throwIf(number = 200000) as x from system.numbers`
    let rows = 0
    await assert.rejects(
      async () => {
        for await (const chunk of given.database().read({ query })) rows += chunk.rows
      },
      { code: 'invalid_query' }
    )
    assert.ok(rows > 0 && rows <= 200_000, `${rows} rows`)
  })

  test('a user who may only read can', async () => {
    const file = join(given.server().folder as string, 'node-1', 'users.xml')
    const profiles = [1, 2].map((n) => `<watching${n}><readonly>${n}</readonly></watching${n}>`)
    const users = [1, 2].map(
      (n) => `<watcher${n}><password>w</password><networks><ip>127.0.0.1</ip></networks>
      <profile>watching${n}</profile><quota>default</quota></watcher${n}>`
    )
    const config = readFileSync(file, 'utf8')
      .replace('</profiles>', `${profiles.join('')}</profiles>`)
      .replace('</users>', `${users.join('')}</users>`)
    writeFileSync(file, config)
    const table = freshName()
    const columns = [{ name: 'n', type: 'integer' }] as const
    await given.database().write({ table, columns, values: [[7]], rows: 1, create: true })
    for (const user of ['watcher1', 'watcher2']) {
      const database = await open(given.server().settings, { user, password: 'w' })
      await eventually(() => database.check())
      assert.deepEqual(await readRows(database, { table, cursor: { column: 'n', after: null }, limit: 5 }), [[7]])
      await assert.rejects(database.write({ table, columns, values: [[8]], rows: 1 }), { code: 'denied' })
      await database.close()
    }
  })

  test('what is not ClickHouse is told apart', async (t) => {
    const server = createServer((_request, response) => response.writeHead(404).end('<h1>Not found</h1>'))
    t.after(() => server.close())
    const { port } = await listen(server, {})
    const database = await open(given.server().settings, { port })
    await assert.rejects(database.check(), { code: 'unreachable', isTransient: false })
    await database.close()
  })
}
