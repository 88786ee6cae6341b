import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startRelay } from '../../../../../test/support/servers/relay.ts'
import { createOutbound, type Outbound, OutboundError } from '../../../outbound/index.ts'
import { openSql } from '../../index.ts'
import { type ChangesGiven, freshReader, readChanges } from './under-test.ts'

const permitting = createOutbound({ allowPrivateNetworks: true, allowedHosts: [] })

/** Permits so many connections and no more, as a policy that is changed, or a name that leads elsewhere later. */
function permittingFirst(count: number): Outbound {
  let asked = 0
  return {
    ...permitting,
    async resolve(host, port) {
      asked += 1
      if (asked > count) throw new OutboundError('refused_by_policy', 'No more')
      return permitting.resolve(host, port)
    }
  }
}

export function policyContract({ server }: ChangesGiven): void {
  test('every connection is asked for, that of the log too', async () => {
    const reader = freshReader()
    const { settings, execute } = server()
    await execute(`create table ${reader} (id int primary key)`, `insert into ${reader} values (1), (2)`)
    const relay = await startRelay(Number(settings.port))
    try {
      let after: string | null = null
      for (let permitted = 0; ; permitted++) {
        const before = relay.connections()
        const database = await openSql({ ...settings, port: relay.port }, { outbound: permittingFirst(permitted) })
        const wanted: 'snapshot' | number = after === null ? 'snapshot' : 1
        const outcome: string | Error = await readChanges(database, { table: reader, reader, after }, wanted).then(
          ({ positions }) => positions.at(-1) as string,
          (error) => error
        )
        await database.close()
        assert.ok(relay.connections() - before <= permitted, `${relay.connections() - before} connections`)
        if (outcome instanceof Error) {
          assert.equal((outcome as { code?: unknown }).code, 'refused_by_policy', String(outcome))
          continue
        }
        assert.ok(permitted >= 1)
        if (after !== null) return
        // Once more, from a position in the log.
        after = outcome
        permitted = -1
        await execute(`insert into ${reader} values (3)`)
      }
    } finally {
      await relay.stop()
    }
  })
}
