import assert from 'node:assert/strict'
import pg from 'pg'
import { startTestApp, type TestApp } from './app.ts'
import { makeFolder } from './servers/service.ts'
import { startSqlPostgres } from './servers/sql-postgres.ts'
import type { SqlServer } from './servers/sql-server.ts'

/** The product with a connector to a PostgreSQL whose tables some statements have made, and a bucket `copies`. */
export class ConnectedDatabase {
  readonly test: TestApp
  readonly server: SqlServer
  #connectorId = ''

  private constructor(test: TestApp, server: SqlServer) {
    this.test = test
    this.server = server
  }

  static async start(name: string, ...statements: readonly string[]): Promise<ConnectedDatabase> {
    const test = await startTestApp({ env: { ALLOWED_HOSTS: '127.0.0.1' } })
    const started = new ConnectedDatabase(test, await startSqlPostgres(makeFolder(name)))
    await started.execute(...statements)
    const { host, port, user, password, database } = started.server
    const body = { name, sourceId: 'postgres', config: { host, port, user, password, database } }
    started.#connectorId = (await started.call('POST', '/connectors', body)).id
    await started.call('POST', `/connectors/${started.connectorId}/discover`)
    await started.call('POST', '/buckets', { name: 'copies' })
    return started
  }

  get connectorId(): string {
    return this.#connectorId
  }

  /** As an administrator, of what has to succeed. */
  async call(method: string, path: string, body?: unknown) {
    const answer = await this.test.call(method, `/api${path}`, { as: 'admin', body })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.body
  }

  /** Answers the rows of the last. */
  async execute(...statements: readonly string[]): Promise<Record<string, unknown>[]> {
    const client = new pg.Client(this.server)
    await client.connect()
    let rows: Record<string, unknown>[] = []
    for (const statement of statements) rows = (await client.query(statement)).rows
    await client.end()
    return rows
  }

  async stop(): Promise<void> {
    await this.test.close()
    await this.server.stop()
  }
}
