import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SqlServer } from '../../../../test/support/servers/sql-server.ts'
import type { SqlKind } from '../../../engines/sql/index.ts'
import { NodeFault } from '../contract/context.ts'
import { promisesOfMirrors } from './mirrors.ts'
import { type NodeText, openWorkshop, type Ran, type RunOptions, type Workshop } from './workshop.ts'

export interface ChangesPipelines {
  readonly sourceId: string
  readonly missing: string | undefined
  start(): Promise<SqlServer>
  execute(server: SqlServer, ...statements: string[]): Promise<void>
  rows(server: SqlServer, query: string): Promise<Record<string, unknown>[]>
  readonly kind: SqlKind
  /** The stream that a table is. */
  streamOf(table: string): string
}

const ROWS = 5000
/** Every other commit fails, and the fewest there are: the beginning, the rows, their end, the changes. */
const MIN_CRASHES = 3
const MAX_CRASHES = 12

/** What the node promises with `changes`, with a real database. */
export function changesSuite(name: string, under: ChangesPipelines): void {
  describe(`changes of ${name} in pipelines`, { skip: under.missing ?? false }, () => {
    let server: SqlServer
    let workshop: Workshop
    before(async () => {
      server = await under.start()
      workshop = await openWorkshop()
    })
    after(async () => {
      await workshop?.close()
      await server?.stop()
    })
    const execute = (...statements: string[]) => under.execute(server, ...statements)
    const access = () => {
      const { host, port, user, password, database } = server
      return { host, port, user, password, database }
    }
    const changesOf = (table: string): NodeText => {
      const connector = { sourceId: under.sourceId, config: access() }
      const config = { connectorId: 'cn_1', stream: under.streamOf(table), changes: true, connector }
      return { id: 'in', type: 'stream', config }
    }
    const nodes = (table: string, prefix: string): NodeText[] => {
      return [
        changesOf(table),
        { id: 'out', type: 'object', config: { bucket: 'b', prefix, format: 'parquet' }, inputs: ['in'] }
      ]
    }
    /** Runs until so many records were read and committed. */
    const runTo = (records: number, texts: readonly NodeText[], options: RunOptions = {}) =>
      workshop.run(texts, {
        ...options,
        async onCommit(commit, run) {
          await options.onCommit?.(commit, run)
          if (commit.ledger.recordsRead >= records) run.stop()
        }
      })

    it('are written once each, however often the run crashes, and make the table', async () => {
      await execute(
        'create table crashing (id int primary key, name varchar(50))',
        `insert into crashing values ${Array.from({ length: ROWS }, (_, id) => `(${id}, 'first')`)}`
      )
      const total = ROWS + 1000 + 100 + 2 * 50 + 10
      let checkpoint: Ran['checkpoint'] = null
      let counted: RunOptions['counted'] = null
      let [commits, crashes, isChanged] = [0, 0, false]
      for (;;) {
        try {
          await runTo(total, nodes('crashing', 'crashing/'), {
            pipelineId: 'pl_crashing',
            checkpoint,
            counted,
            eager: true,
            async onCommit(commit) {
              commits += 1
              const isDone = (counted?.ledger.recordsRead ?? 0) >= total
              if (crashes < MAX_CRASHES && commits % 2 === 0 && !isDone) {
                crashes += 1
                throw new NodeFault('fatal', 'crash', 'on purpose')
              }
              checkpoint = commit.checkpoint
              counted = { ledger: commit.ledger, nodes: commit.nodes }
              const { changes } = commit.checkpoint.positions.in as { changes: string }
              if (isChanged || 'snapshot' in JSON.parse(changes)) return
              isChanged = true
              await execute(
                ...Array.from({ length: 10 }, (_, n) => `update crashing set name = 'n${n}' where id between 0 and 99`),
                'delete from crashing where id between 200 and 299',
                'update crashing set id = id + 100000 where id between 300 and 349',
                "insert into crashing values (200, 'a'), (201, 'b'), (202, 'c'), (203, 'd'), (204, 'e')",
                "insert into crashing values (205, 'f'), (206, 'g'), (207, 'h'), (208, 'i'), (209, 'j')"
              )
            }
          })
          break
        } catch (error) {
          if (!(error instanceof NodeFault) || error.code !== 'crash') throw error
        }
      }
      assert.ok(crashes >= MIN_CRASHES, `${crashes}`)
      const [{ records, places }] = (await workshop.rows(
        `SELECT count(*) AS records, count(DISTINCT id || ' ' || _position) AS places FROM objects`,
        'crashing/'
      )) as [{ records: number; places: number }]
      assert.deepEqual([Number(records), Number(places)], [total, total])
      const folded = await workshop.rows(
        `SELECT id, name FROM (SELECT id, name, _op, row_number() OVER (PARTITION BY id ORDER BY _position DESC) AS n FROM objects)
          WHERE n = 1 AND _op <> 'delete' ORDER BY id`,
        'crashing/'
      )
      const expected = Array.from({ length: ROWS }, (_, id) => {
        if (id < 100) return { id, name: 'n9' }
        if (id >= 200 && id < 210) return { id, name: 'abcdefghij'[id - 200] }
        if (id >= 210 && id < 300) return []
        return { id: id >= 300 && id < 350 ? id + 100_000 : id, name: 'first' }
      }).flat()
      assert.deepEqual(
        folded,
        expected.toSorted((a, b) => a.id - b.id)
      )
    })

    it('tell columns that come and go, go on in the next run, and begin anew with another stream', async () => {
      await execute('create table altered (id int primary key)', 'insert into altered values (1)')
      await execute('create table other (id int primary key)', 'insert into other values (7)')
      const pipelineId = 'pl_altered'
      const first = await runTo(1, nodes('altered', 'altered/'), { pipelineId })
      await execute('insert into altered values (2)', 'alter table altered add column size double precision')
      await execute('insert into altered values (3, 0.5)')
      const second = await runTo(2, nodes('altered', 'altered/'), {
        pipelineId,
        checkpoint: first.checkpoint,
        runNumber: 2
      })
      const rows = await workshop.rows('SELECT id, size, _op FROM objects ORDER BY id', 'altered/')
      assert.deepEqual(rows, [
        { id: 1, size: null, _op: 'snapshot' },
        { id: 2, size: null, _op: 'insert' },
        { id: 3, size: 0.5, _op: 'insert' }
      ])
      const warnings = second.log.filter(({ level }) => level === 'warn').map(({ message }) => message)
      assert.deepEqual(warnings, ['The columns have changed: size (double) is new'])
      const third = await runTo(1, nodes('other', 'other/'), {
        pipelineId,
        checkpoint: second.checkpoint,
        runNumber: 3
      })
      assert.ok(third.log.some(({ message }) => message.startsWith('Beginning anew')))
      assert.deepEqual(await workshop.rows('SELECT id, _op FROM objects', 'other/'), [{ id: 7, _op: 'snapshot' }])
    })

    promisesOfMirrors({
      workshop: () => workshop,
      execute,
      rows: (query) => under.rows(server, query),
      changesOf,
      connection: () => ({ kind: under.kind, ...access() })
    })
  })
}
