import assert from 'node:assert/strict'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { eventually } from '../../../../test/support/eventually.ts'
import type { SeriesError } from '../errors.ts'
import { ask, refused, valuesOf, writeGood } from '../testing/asking.ts'
import { readNotes } from './damage-notes.ts'
import { type DuckdbSeries, openDuckdb } from './index.ts'
import { inspectSeries } from './inspect.ts'
import { layoutOf } from './layout.ts'

const MS_PER_DAY = 86_400_000

describe('files that are lost', () => {
  let root: string
  let folder: string
  let told: SeriesError[]
  let copies = 0

  const line = (tag: string, day: number) => `${tag} value=${day} ${day * MS_PER_DAY}`
  const opened = () => openDuckdb({ folder, onFailure: (error) => told.push(error as SeriesError) })
  const fileOf = (day: string) => {
    const within = join(folder, 'points', 'source=plant', `day=${day}`)
    return join(within, readdirSync(within)[0] as string)
  }

  async function using<T>(work: (series: DuckdbSeries) => Promise<T>): Promise<T> {
    const series = await opened()
    try {
      return await work(series)
    } finally {
      await series.close()
    }
  }

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'millrace-series-lost-'))
    folder = join(root, 'made')
    told = []
    await using(async (series) => {
      const lines = ['a', 'b'].flatMap((tag) => [1, 2, 3].map((day) => line(tag, day)))
      await writeGood(series, 'plant', lines.join('\n'), { precision: 'ms' })
      await series.seal()
      await writeGood(series, 'plant', line('a', 4), { precision: 'ms' })
    })
    assert.deepEqual(told, [])
  })
  after(() => rmSync(root, { recursive: true }))
  beforeEach(() => {
    told = []
    folder = join(root, String(copies++))
    cpSync(join(root, 'made'), folder, { recursive: true })
  })

  const losses: readonly [string, () => void, RegExp][] = [
    ['missing', () => rmSync(join(folder, 'index.db')), /^index\.db is missing.* 3 files of points/],
    ['empty', () => truncateSync(join(folder, 'index.db'), 0), /^index\.db is empty/],
    ['cut short', () => truncateSync(join(folder, 'index.db'), 9000), /^index\.db is damaged/],
    ['something else', () => writeFileSync(join(folder, 'index.db'), 'x'.repeat(20_000)), /^index\.db is damaged/]
  ]
  for (const [how, lose, message] of losses) {
    test(`the index is ${how}: the engine is not opened, says why, and leaves all as it is`, async () => {
      lose()
      const files = () =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /parquet|log-/.test(name))
      const before = files()
      for (let time = 0; time < 2; time++) {
        await assert.rejects(opened(), (error: SeriesError) => {
          assert.deepEqual([error.code, error.facts], ['damaged', { file: 'index.db' }])
          return message.test(error.message)
        })
      }
      assert.deepEqual(
        told.map(({ code }) => code),
        ['damaged', 'damaged']
      )
      assert.deepEqual(files(), before)
      if (how === 'missing') assert.equal(existsSync(join(folder, 'index.db')), false)
      // Once the index is put back, everything is there again.
      cpSync(join(root, 'made', 'index.db'), join(folder, 'index.db'))
      await using(async (series) =>
        assert.deepEqual([...(await valuesOf(series, 'plant', 'a')).values()], [1, 2, 3, 4])
      )
    })
  }

  test('an index that had nothing to know yet may be missing', async () => {
    folder = join(root, 'young')
    await using((series) => writeGood(series, 'plant', line('a', 1), { precision: 'ms' }))
    rmSync(join(folder, 'index.db'))
    await using(async (series) => assert.deepEqual([...(await valuesOf(series, 'plant', 'a')).values()], [1]))
    assert.deepEqual(told, [])
  })

  test('the engine says whether it works, and why not', async () => {
    await using(async (series) => {
      await series.check()
      rmSync(join(folder, 'index.db'))
      await assert.rejects(series.check(), { code: 'damaged', message: /index\.db is missing/ })
    })
  })

  test('a file of points that is missing, or cut short, is told by day and tag; all else goes on', async () => {
    rmSync(fileOf('1970-01-02'))
    truncateSync(fileOf('1970-01-03'), Math.floor(statSync(fileOf('1970-01-03')).size / 2))
    await using(async (series) => {
      for (const day of [1, 2]) {
        const asked = {
          tags: ['a'],
          fromNs: BigInt(day * MS_PER_DAY) * 1_000_000n,
          toNs: BigInt((day + 1) * MS_PER_DAY) * 1_000_000n
        }
        await assert.rejects(ask(series, 'plant', asked), ({ code, facts }: SeriesError) => {
          assert.deepEqual([code, facts.day, facts.tag], ['damaged', `1970-01-0${day + 1}`, 'a'])
          return true
        })
      }
      const asked = { fromNs: BigInt(3 * MS_PER_DAY) * 1_000_000n }
      assert.equal((await ask(series, 'plant', asked)).series.length, 2)
      await refused(series.export('plant', undefined), 'damaged')
      await writeGood(series, 'plant', line('a', 5), { precision: 'ms' })
      await series.seal()
      await series.check()
      await eventually(async () => assert.equal(readNotes(layoutOf(folder)).length, 2))
    })
    assert.ok(told.every(({ code }) => code === 'damaged'))
    assert.match(told.map(({ message }) => message).join(), /1970-01-02.* is damaged: it is missing/)
  })

  test('files that the index does not know are found', () => {
    assert.deepEqual(inspectSeries(folder).strays, [])
    const file = fileOf('1970-01-02')
    cpSync(file, join(file, '..', '77.parquet'))
    assert.deepEqual(inspectSeries(folder).strays, ['points/source=plant/day=1970-01-02/77.parquet'])
  })
})
