import type { Clock } from '../../engines/clock.ts'
import type { MakeId } from '../../engines/ids.ts'
import type { Worker } from '../../engines/jobs/index.ts'
import type { Log } from '../../engines/log.ts'
import type { Db, Metadata } from '../../engines/metadata/index.ts'
import type { Performed } from '../../http/route.ts'
import { orNotFound } from '../../http/rows.ts'
import type { ConnectionTest, Integration } from '../integration/index.ts'
import type { ConnectorRow } from './migrations.ts'
import type { TestQuery } from './schema.ts'
import { type Connectors, TEST_EVERY_MS } from './service.ts'
import * as store from './store.ts'
import { toTest } from './view.ts'

/** Connectors that one turn of the watch tests. */
const MAX_A_TURN = 100
const AT_ONCE = 4

interface Needs {
  readonly metadata: Metadata
  readonly clock: Clock
  readonly makeId: MakeId
  readonly log: Pick<Log, 'error'>
  readonly connectors: Connectors
  integration(): Promise<Integration>
}

/** Tests of connectors, by hand and again every quarter of an hour. */
export class ConnectorTests {
  readonly #needs: Needs

  constructor(needs: Needs) {
    this.#needs = needs
  }

  async test(id: string): Promise<Performed<ConnectionTest>> {
    const { metadata } = this.#needs
    const row = await orNotFound(store.findConnector(metadata.db, id))
    const answer = await this.#try(row)
    const { success, message } = answer
    return {
      answer,
      changes: [
        { type: 'connector', id, before: { status: row.status }, after: { status: statusOf(success), message } }
      ],
      commit: (tx) => this.#save(tx, row, answer)
    }
  }

  /** After something else has worked: one that failed is tested now, rather than a quarter of an hour after its last test. */
  async works(row: ConnectorRow): Promise<void> {
    if (row.status !== 'failing') return
    try {
      const result = await this.#try(row)
      await this.#needs.metadata.transaction((tx) => this.#save(tx, row, result))
    } catch (error) {
      this.#needs.log.error({ err: error, connector: row.id }, 'a connector could not be tested')
    }
  }

  async history(id: string, query: TestQuery) {
    const { db } = this.#needs.metadata
    const { rows, total, nextCursor } = await store.listTests(db, id, query)
    await orNotFound(store.findConnector(db, id))
    return { tests: rows.map(toTest), total, nextCursor }
  }

  /** Tests what is due, a few at a time. */
  readonly watch: Worker<never> = async ({ commit, signal }) => {
    const { metadata, clock, log } = this.#needs
    const due = await store.dueForTest(metadata.db, clock.now(), MAX_A_TURN)
    for (let from = 0; from < due.length && !signal.aborted; from += AT_ONCE) {
      await Promise.all(
        due.slice(from, from + AT_ONCE).map(async (row) => {
          // One that can't be tested at all, say because its seal is broken, must not keep the others from it.
          const result = await this.#try(row).catch((error) => {
            log.error({ err: error, connector: row.id }, 'a connector could not be tested')
            return undefined
          })
          await commit((tx) =>
            result === undefined
              ? store.postponeTest(tx, row.id, clock.now() + TEST_EVERY_MS)
              : this.#save(tx, row, result)
          )
        })
      )
    }
  }

  async #try(row: ConnectorRow): Promise<ConnectionTest> {
    const { connectors } = this.#needs
    const { source, config } = await connectors.openRow(row)
    return (await this.#needs.integration()).tryOut(source, config, connectors.secrets.of(row.id))
  }

  /** Nothing is written of a connector that was deleted or given another configuration meanwhile; by people, not by its service. */
  async #save(tx: Db, tested: ConnectorRow, { success, message, checks }: ConnectionTest): Promise<void> {
    const { clock, makeId } = this.#needs
    const row = await store.lockConnector(tx, tested.id)
    if (row === undefined) return
    const isSame = row.config === tested.config && row.secrets === tested.secrets
    if (!isSame && row.version !== tested.version) return
    const at = clock.iso()
    const status = statusOf(success)
    await store.updateConnector(tx, {
      ...row,
      status,
      status_since: status === row.status ? row.status_since : at,
      last_test: JSON.stringify({ at, success, message, checks }),
      next_test_ms: clock.now() + TEST_EVERY_MS
    })
    await store.insertTest(tx, {
      id: makeId('cnt'),
      connector_id: row.id,
      at,
      success: success ? 1 : 0,
      code: checks.find(({ ok }) => !ok)?.code ?? null,
      message,
      checks: JSON.stringify(checks)
    })
  }
}

const statusOf = (success: boolean) => (success ? 'healthy' : 'failing')
