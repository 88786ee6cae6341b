import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { ANY_CHARACTER } from '../../../../test/support/any-character.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { missingClickhouse } from '../../../../test/support/servers/clickhouse.ts'
import { PASSWORD } from '../../../../test/support/servers/clickhouse-config.ts'
import { quoteText } from '../../clickhouse/quote.ts'
import type { Series } from '../index.ts'
import { bucketIndex, planBuckets } from '../query/buckets.ts'
import { splitDay } from '../query/ns.ts'
import { BUCKET_UNITS } from '../query/plan.ts'
import { answerBytes, ask, question, refused, writeGood } from '../testing/asking.ts'
import { seriesContract } from '../testing/contract.ts'
import { bucketSql } from './bucket-sql.ts'
import { openClickhouse } from './index.ts'
import { run, type Servers, startOne, underTest } from './testing/servers.ts'

const missing = missingClickhouse()

describe('clickhouse on one server', { skip: missing ?? false }, () => {
  let servers: Servers
  let url: string
  before(async () => {
    servers = await startOne()
    url = servers.nodes[0]?.url as string
  })
  after(() => servers?.stop())

  seriesContract('ClickHouse', { missing, ...underTest(() => servers) })

  describe('and besides', () => {
    let series: Series
    before(async () => {
      series = await openClickhouse({ url: servers.engineUrl('besides') })
    })
    after(() => series?.close())

    test('any text is the same to ClickHouse', async () => {
      const anyText = fc.oneof(
        fc.string({ unit: ANY_CHARACTER }),
        fc.string({ unit: fc.constantFrom(...`'"\\\`\0\n\bx27-/*;`) })
      )
      await fc.assert(
        fc.asyncProperty(fc.array(anyText, { minLength: 20, maxLength: 50 }), async (texts) => {
          const known = texts.map((text) => text.toWellFormed())
          const hexed = (
            await run(url, `SELECT concat('x', hex(arrayJoin([${known.map(quoteText).join(',')}])))`)
          ).split('\n')
          assert.deepEqual(
            hexed.map((text) => Buffer.from(text.slice(1), 'hex').toString()),
            known
          )
        }),
        { numRuns: 8 }
      )
    })

    test('the bucket of any time is the same in SQL', async () => {
      // Times within some years of each other: finding all clock changes of centuries takes a while.
      const anyTimes = fc
        .tuple(
          fc.bigInt({ min: -(2n ** 63n) + 2n, max: 2n ** 63n - 2n - 2n ** 57n }),
          fc.array(fc.bigInt({ min: 0n, max: 2n ** 57n }), { minLength: 30, maxLength: 30 })
        )
        .map(([first, later]) => later.map((ns) => first + ns))
      const anyWidth = fc.record({ count: fc.integer({ min: 1, max: 20 }), unit: fc.constantFrom(...BUCKET_UNITS) })
      const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/St_Johns')
      await fc.assert(
        fc.asyncProperty(anyTimes, anyWidth, zones, async (times, width, zone) => {
          const sorted = times.toSorted((a, b) => (a < b ? -1 : 1))
          const plan = planBuckets(width, zone, sorted[0] as bigint, (sorted.at(-1) as bigint) + 1n)
          const list = times.map((time) => `toInt64('${time}')`).join(',')
          const sql = `SELECT ${bucketSql(plan)} FROM (SELECT arrayJoin([${list}]) AS time)`
          const expected = times.map((time) => {
            const { day, ns } = splitDay(time)
            return bucketIndex(plan, day, ns)
          })
          assert.deepEqual(
            (await run(`${url}/?max_query_size=10000000&max_ast_elements=1000000`, sql)).split('\n').map(Number),
            expected
          )
        }),
        { numRuns: 30 }
      )
    })

    test('what was dropped, and what is not retained, is gone at once, and from the disk later', async () => {
      const rows = (sources: string) => run(url, `SELECT count() FROM besides.points WHERE source IN (${sources})`)
      const fill = async (dropped: string, retained: string) => {
        await writeGood(series, dropped, 'a value=1 1\na value=2 2')
        await writeGood(series, retained, 'b value=1 1\nb value=1 2000000000000000000')
      }
      const leave = async (dropped: string, retained: string) => {
        await series.drop(dropped)
        await series.retain(retained, 1_000_000_000_000)
        await writeGood(series, dropped, 'a value=7 2')
        assert.deepEqual((await ask(series, dropped)).series[0]?.points, [{ time: 2n, value: 7 }])
        assert.equal((await ask(series, retained)).stats.pointsRead, 1)
      }
      await fill('a', 'b')
      await run(url, 'SYSTEM STOP MERGES')
      await leave('a', 'b')
      assert.equal(await rows(`'a', 'b'`), '5')
      await run(url, 'SYSTEM START MERGES')
      // Statements that come now wake the server that was stopped.
      await fill('c', 'd')
      await leave('c', 'd')
      await eventually(async () => (await rows(`'a', 'b', 'c', 'd'`)) === '4')
      for (const retained of ['b', 'd']) assert.equal((await ask(series, retained)).stats.pointsRead, 1)
    })

    test('a query that nobody waits for any more is stopped', async () => {
      // Enough points, made within ClickHouse, for the query to take a while.
      await writeGood(series, 'long', 'a value=1 1')
      await run(url, `INSERT INTO besides.points SELECT 'long', 0, 'a', number, 1, '', 0, 0, 1 FROM numbers(2000000)`)
      const running = async () =>
        run(url, `SELECT count() FROM system.processes WHERE query LIKE '%f_p99%' AND user != 'default'`)
      const query = question('long', { bucket: { count: 1, unit: 'ms' }, functions: ['p99', 'rate', 'median'] })
      const startedMs = performance.now()
      await answerBytes(series, query)
      const wholeMs = performance.now() - startedMs
      const cancelling = new AbortController()
      const asked = series.query(query, cancelling.signal)
      await Promise.race([eventually(async () => (await running()) === '1'), asked])
      cancelling.abort()
      const cancelledMs = performance.now()
      await refused(asked, 'cancelled')
      await eventually(async () => (await running()) === '0')
      const goneMs = performance.now() - cancelledMs
      assert.ok(goneMs < wholeMs / 2, `it went on for ${goneMs} ms, of ${wholeMs} ms in all`)
    })

    test('a refusal tells neither the statement nor the password', async () => {
      const wrong = servers.engineUrl('besides').replace('millrace:', 'nobody:')
      const refusal = await refused(openClickhouse({ url: wrong }), 'failed')
      assert.match(refusal.message, /code (192|516)/)
      await run(url, 'DROP TABLE besides.tag_stats')
      const broken = await refused(series.query(question("it's")), 'failed')
      assert.match(broken.message, /ClickHouse refused \(code 60\)/)
      for (const { message } of [refusal, broken]) {
        assert.ok(!message.includes(PASSWORD) && !/select|it's/i.test(message), message)
      }
    })
  })

  test('a server that is not there, or does not speak, is told in time', async () => {
    await refused(openClickhouse({ url: `clickhouse://127.0.0.1:${await freePort()}` }), 'unavailable')
    const mute = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as { port: number }
    await refused(openClickhouse({ url: `clickhouse://127.0.0.1:${port}` }), 'unavailable')
    mute.close()
  })

  test('a server that goes away is told of, and found again', async () => {
    const series = await openClickhouse({ url: servers.engineUrl('away') })
    await writeGood(series, 'a', 'a value=1 1')
    await servers.nodes[0]?.kill()
    await refused(series.check(), 'unavailable')
    await refused(series.query(question('a')), 'unavailable')
    await refused(writeGood(series, 'a', 'a value=1 2'), 'unavailable')
    await servers.nodes[0]?.start()
    await series.check()
    await writeGood(series, 'a', 'a value=3 3')
    assert.deepEqual((await ask(series, 'a')).stats.pointsRead, 2)
    await series.close()
    await refused(series.check(), 'closed')
    await refused(writeGood(series, 'a', 'a value=1 2'), 'closed')
  })
})
