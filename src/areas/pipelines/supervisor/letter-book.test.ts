import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { inPieces } from '../host/letter-pieces.ts'
import type { DeadLetter } from '../protocol/checkpoint.ts'
import { deleteOldReplayed, deleteOldRuns } from '../upkeep/store.ts'
import { LetterBook, successor } from './letter-book.ts'
import { insertLetters, totalOf } from './letter-rows.ts'

describe('dead letters on their way into the database', () => {
  let test: TestApp
  let id: string

  before(async () => {
    test = await startTestApp()
    await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'book' } })
    const config = { bucket: 'book', prefix: 'x/', format: 'csv' }
    const nodes = [
      { id: 'in', type: 'webhook' },
      { id: 'out', type: 'object', config, inputs: ['in'] }
    ]
    id = (await test.call('POST', '/api/pipelines', { as: 'editor', body: { name: 'book', nodes } })).body.id
  })
  after(() => test.close())

  const bookOf = () => {
    const held = { runId: 'run_1', pipelineId: id, owner: 'own_1', fence: 1, version: 1 }
    return new LetterBook(held, test.platform)
  }
  const letter = (record: string, more: Partial<DeadLetter> = {}): DeadLetter => {
    return { nodeId: 'out', code: 'bad', reason: 'It is bad', record, ...more }
  }
  const list = async (query = '') =>
    (await test.call('GET', `/api/pipelines/${id}/dead-letters?${query}`, { as: 'viewer' })).body

  async function commit(book: LetterBook, letters: readonly DeadLetter[], replayed: readonly string[] = []) {
    const rows = await book.rowsOf(letters)
    await test.platform.metadata.transaction((tx) => book.commit(tx, rows, replayed))
    book.committed()
    return rows
  }
  async function stage(book: LetterBook, letters: readonly DeadLetter[]) {
    const rows = await book.rowsOf(letters)
    await test.platform.metadata.transaction((tx) => insertLetters(tx, rows))
    book.staged(rows)
  }

  it('are seen with the commit that they belong to, and are gone where there is none', async () => {
    const { db } = test.platform.metadata
    const book = bookOf()
    await book.open()
    await stage(
      book,
      Array.from({ length: 250 }, (_, n) => letter(`{"n":${n}}`))
    )
    assert.deepEqual([(await list()).total, (await totalOf(db, id)).waiting], [0, 0])
    // Another takes the run over; what was staged is none of its.
    const next = bookOf()
    await next.open()
    await stage(
      next,
      Array.from({ length: 150 }, (_, n) => letter(`{"n":${n}}`))
    )
    const [row] = await commit(next, [letter('{"n":150}', { code: 'late', inputId: 'in', origin: { line: 7 } })])
    assert.deepEqual([(await list()).total, (await totalOf(db, id)).waiting], [151, 151])
    const [newest] = (await list('limit=1')).deadLetters
    assert.deepEqual([newest.code, newest.inputId, newest.origin], ['late', 'in', { line: 7 }])
    // What is put through again counts no longer, however often it is said.
    await commit(next, [], [row?.id as string])
    await commit(next, [], [row?.id as string])
    assert.deepEqual(await totalOf(db, id), { waiting: 150, chars: '{"n":0}'.length * 10 + 8 * 90 + 9 * 50 })
    const remove = (query: string) => test.call('DELETE', `/api/pipelines/${id}/dead-letters${query}`, { as: 'editor' })
    assert.deepEqual([(await remove('')).body.deleted, await totalOf(db, id)], [150, { waiting: 0, chars: 0 }])
    assert.deepEqual([(await remove('?replayed=true')).body.deleted, (await list()).total], [1, 0])
  })

  it('keep the whole of a long record, of which lists show the beginning', async () => {
    const record = JSON.stringify({ text: 'ü'.repeat(100_000) })
    const book = bookOf()
    await book.open()
    await commit(book, [letter(record), letter('{"n":1}')])
    const [, long] = (await list()).deadLetters
    assert.deepEqual([long.recordTruncated, long.record], [true, record.slice(0, 32_768)])
    const headers = { accept: 'application/x-ndjson' }
    const { text } = await test.call('GET', `/api/pipelines/${id}/dead-letters`, { as: 'viewer', headers })
    const [first, second] = text.trim().split('\n')
    assert.equal(JSON.parse(first as string).record.text.length, 100_000)
    assert.deepEqual(JSON.parse(second as string).record, { n: 1 })
  })

  it('are refused where more would wait than can be looked at', async () => {
    const { metadata } = test.platform
    const count = { pipeline_id: id, node_id: 'in', code: 'bad', waiting: 999_990, size_chars: 10 }
    await metadata.transaction((tx) => tx.insertInto('pipeline_letter_counts').values(count).execute())
    const book = bookOf()
    await book.open()
    await assert.rejects(book.rowsOf(Array(20).fill(letter('{}'))), { kind: 'fatal', code: 'too_many_dead_letters' })
    const large = { waiting: 1, size_chars: 4 * 1024 ** 3 }
    await metadata.transaction((tx) => tx.updateTable('pipeline_letter_counts').set(large).execute())
    await assert.rejects(book.rowsOf([letter('{}')]), /4 GiB .* replay or delete some/)
    await metadata.transaction((tx) => tx.deleteFrom('pipeline_letter_counts').execute())
  })

  it('go a while after they were put through again, and the run to go on from stays', async () => {
    const { metadata } = test.platform
    const book = bookOf()
    await book.open()
    const [row] = await commit(book, [letter('{}')])
    await commit(book, [], [row?.id as string])
    const later = new Date(Date.now() + 1000).toISOString()
    const gone = await metadata.transaction((tx) => deleteOldReplayed(tx, id, later))
    assert.equal(gone, 1)
    const at = '2026-01-01T00:00:00.000Z'
    const run = (number: number, replay: string | null) => ({
      ...{ id: `run_${number}`, pipeline_id: id, number, version: 1, status: 'completed' as const, replay },
      ...{ owner: null, fence: 1, failures: 0, due_ms: 0, ledger: '{}', nodes: '{}', error: null },
      ...{ started_by: 'usr_1', started_at: at, ended_at: at }
    })
    const left = await metadata.transaction(async (tx) => {
      await tx
        .insertInto('pipeline_runs')
        .values([run(1, null), run(2, null), run(3, '{}'), run(4, '{}')])
        .execute()
      await deleteOldRuns(tx, id, 1)
      return tx.selectFrom('pipeline_runs').select('id').orderBy('id').execute()
    })
    assert.deepEqual(
      left.map((row) => row.id),
      ['run_2', 'run_4']
    )
  })

  it('have identifiers after those before, whatever the clock says', () => {
    assert.equal(successor('dl_0a'), 'dl_0b')
    assert.equal(successor('dl_0zz'), 'dl_100')
    const digits = '0123456789abcdefghjkmnpqrstvwxyz'.split('')
    const ids = fc.array(fc.constantFrom(...digits), { minLength: 1, maxLength: 26 })
    fc.assert(
      fc.property(ids, (chars) => {
        const one = `dl_0${chars.join('')}`
        assert.ok(successor(one) > one && successor(one).length === one.length)
      })
    )
  })

  it('come in pieces that are small, all of them and in their order', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 700_000 }), { maxLength: 40 })
    fc.assert(
      fc.property(sizes, (lengths) => {
        const letters = lengths.map((length) => ({ ...letter(''), record: { length } as string }))
        const pieces = inPieces(letters)
        assert.deepEqual(pieces.flat(), letters)
        const isSmall = (piece: readonly DeadLetter[]) =>
          piece.reduce((sum, { record }) => sum + record.length, 0) <= 2 ** 20
        assert.ok(pieces.every((piece) => piece.length === 1 || isSmall(piece)))
      })
    )
    assert.deepEqual(
      inPieces(Array(2500).fill(letter('{}'))).map((piece) => piece.length),
      [500, 500, 500, 500, 500]
    )
  })
})
