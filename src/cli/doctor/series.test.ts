// Once: files of points, and ClickHouse.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync
} from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { flipByte } from '../../../test/support/flip.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { ManualClock } from '../../../test/support/manual-clock.ts'
import { missingMount, mountSmallDisk } from '../../../test/support/pipelines/small-disk.ts'
import { type Clickhouse, missingClickhouse, startClickhouse } from '../../../test/support/servers/clickhouse.ts'
import { makeFolder, removeFolder } from '../../../test/support/servers/service.ts'
import { readConfig } from '../../areas.ts'
import { type Clock, systemClock } from '../../engines/clock.ts'
import { type DamagedFile, writeNote } from '../../engines/series/duckdb/damage-notes.ts'
import { type DuckdbSeries, openDuckdb } from '../../engines/series/duckdb/index.ts'
import { layoutOf } from '../../engines/series/duckdb/layout.ts'
import { writeGood } from '../../engines/series/testing/asking.ts'
import { readEverything } from './deep.ts'
import { checkSeries } from './series.ts'

async function check(env: Record<string, string>, clock: Clock = systemClock, isDeep = false): Promise<string> {
  const installation = { config: readConfig(env), clock, vault: undefined, metadata: undefined }
  const found = await checkSeries(installation, isDeep)
  return found.map(({ level, subject, message }) => `${level} ${subject}: ${message}`).join('\n')
}

describe('the doctor looks at points on disk', () => {
  let root: string
  let env: Record<string, string>
  let series: string
  let engine: DuckdbSeries
  let copies = 0

  /** Two files of points, and one point in the log, of an engine that runs. */
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'millrace-doctor-series-'))
    const onFailure = (error: Error) => {
      throw error
    }
    engine = await openDuckdb({ folder: join(root, 'series'), onFailure })
    await writeGood(engine, 'plant', 'a value=1 1\na value=2 86400000000001')
    await engine.seal()
    await writeGood(engine, 'plant', 'a value=3 3')
  })
  after(async () => {
    await engine.close()
    rmSync(root, { recursive: true })
  })
  beforeEach(() => {
    env = { DATA_DIR: join(root, String(copies++)) }
    series = join(env.DATA_DIR as string, 'series')
    cpSync(join(root, 'series'), series, { recursive: true })
  })

  const parquet = () => {
    const [first] = readdirSync(join(series, 'points'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.parquet')
    )
    return join(series, 'points', first as string)
  }

  it('before there are any', async () => {
    rmSync(series, { recursive: true })
    assert.match(await check(env), /^ok series: none in .*series yet; the first write makes it$/)
    writeFileSync(series, '')
    assert.match(await check(env), /^FAIL series: .*series is a file/)
  })

  it('counts what there is, while the engine runs and after it ended', async () => {
    const whole =
      /^ok series: \S+series: 2 files, \d{3,} bytes, not all looked at yet; [1-9]\d+ bytes in 1 record\(s\) to read at a start; \d+ MiB free$/
    assert.match(await check({ DATA_DIR: root }), whole)
    assert.match(await check(env), whole)
  })

  it('misses a file', async () => {
    appendFileSync(parquet(), 'x')
    assert.match(await check(env), /^FAIL series: in \S+series points\/\S+ is not as it was written: restore/)
    rmSync(join(series, 'points'), { recursive: true })
    assert.match(await check(env), /^FAIL series: .* points\/\S+ is missing, and 1 more like it: restore a backup$/)
  })

  it('misses a log', async () => {
    rmSync(join(series, 'log-2'))
    assert.match(await check(env), /^FAIL series: .* log-2 is missing: restore a backup$/)
  })

  it('tells a log that is cut, unless it is the one being written', async () => {
    appendFileSync(join(series, 'log-2'), 'half a record')
    assert.match(await check(env), /^ok [^\n]*$/)
    writeFileSync(join(series, 'log-3'), '')
    assert.match(await check(env), /^ok .*\nwarn series: log-2 in \S+ does not end with a whole record: /)
  })

  it('tells what is damaged: in a log, and what was found before', async () => {
    const log = join(series, 'log-2')
    flipByte(log, readFileSync(log).length - 1)
    assert.match(await check(env), /^ok .*\nFAIL series: in \S+ log-2 is damaged in \d+ bytes with 1 points, of times/)
    const layout = layoutOf(series)
    const file = 'points/source=plant/day=1970-01-01/1.parquet'
    const note = { kind: 'file', file, foundAt: '2026-01-01', part: 'its footer', day: '1970-01-01', source: 'plant' }
    writeNote(layout, note as DamagedFile)
    assert.match(
      await check(env),
      /FAIL series: .*1\.parquet .* is damaged: its footer .*copy series\/points\S+ of a backup/
    )
  })

  it('reads everything where asked to', async () => {
    const installation = { config: readConfig(env), clock: systemClock, vault: undefined, metadata: undefined }
    const deep = async () => {
      const found = await Array.fromAsync(readEverything(installation))
      return found.map(({ level, message }) => `${level} ${message}`).join('\n')
    }
    assert.match(await check(env, systemClock, true), /^ok series: \S+series: 2 files, \d+ bytes; \d+ bytes in/)
    assert.match(await deep(), /^ok \S+series: all 2 files of points are as they were written$/)
    flipByte(parquet(), 30)
    assert.match(await deep(), /^FAIL in \S+series points\S+parquet is damaged: column tag of rows .*: stop the server/)
  })

  it('tells that the index is lost beside files of points', async () => {
    for (const file of readdirSync(series)) if (file.startsWith('index.db')) rmSync(join(series, file))
    const lost = (state: string) =>
      new RegExp(`^FAIL series: .* index\\.db is ${state}, .* the 2 files of points hold; restore`)
    assert.match(await check(env), lost('missing'))
    writeFileSync(join(series, 'index.db'), '')
    assert.match(await check(env), lost('empty'))
  })

  it('tells files of points that the index does not know', async () => {
    cpSync(parquet(), join(parquet(), '..', '99.parquet'))
    assert.match(
      await check(env),
      /^ok .*\nFAIL series: in \S+ index\.db does not know 1 file\(s\) of points, such as points\S+99\.parquet, .*: restore/
    )
  })

  it('asks for room where the disk is full', { skip: missingMount() ?? false }, async () => {
    const place = join(root, 'small')
    mkdirSync(place)
    const disk = mountSmallDisk(place, 4)
    try {
      cpSync(series, join(place, 'series'), { recursive: true })
      for (const file of ['index.db-shm', 'index.db-wal']) rmSync(join(place, 'series', file), { force: true })
      const filler = openSync(join(place, 'filler'), 'w')
      assert.throws(
        () => {
          for (;;) writeSync(filler, Buffer.alloc(4096))
        },
        { code: 'ENOSPC' }
      )
      closeSync(filler)
      const found = await check({ DATA_DIR: place })
      assert.match(found, /^FAIL series: .*: make room/)
      assert.doesNotMatch(found, /backup/)
    } finally {
      disk.unmount()
    }
  })

  it('tells an index that can’t be read', async () => {
    for (const file of readdirSync(series)) if (file.startsWith('index.db')) rmSync(join(series, file))
    writeFileSync(join(series, 'index.db'), 'not a database at all, but quite some text '.repeat(50))
    assert.match(await check(env), /^FAIL series: .*series can't be read: .*; restore it from a backup$/)
    rmSync(join(series, 'index.db'))
    mkdirSync(join(series, 'index.db'))
    assert.match(await check(env), /^FAIL series: .*series can't be read/)
  })

  it('tells an index that can be read and yet is damaged', async () => {
    const file = join(series, 'index.db')
    const index = new DatabaseSync(file)
    const page = index.prepare(`select rootpage from sqlite_schema where name = 'tags_source'`).get()?.rootpage
    const sizeBytes = index.prepare('pragma page_size').get()?.page_size
    index.close()
    const bytes = readFileSync(file)
    writeFileSync(file, bytes.fill('x', Number(page) * Number(sizeBytes) - 4, Number(page) * Number(sizeBytes)))
    assert.match(await check(env), /^FAIL series: .* index\.db is damaged: .*; restore it from a backup$/)
  })

  it('warns of replicas that would not share them', async () => {
    const replicas = { ...env, DATABASE_URL: 'postgres://127.0.0.1:1/millrace' }
    assert.match(await check(replicas), /^ok .*\nwarn series: they are on this machine only.*set SERIES_URL$/)
    const elsewhere = { ...replicas, SERIES_URL: 'clickhouse://127.0.0.1:1' }
    assert.doesNotMatch(await check(elsewhere), /on this machine only/)
  })
})

describe('the doctor looks at points in ClickHouse', () => {
  const at = (place: string) => ({ DATA_DIR: '/nonexistent', SERIES_URL: `clickhouse://${place}` })

  async function listening(server: Server): Promise<number> {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return (server.address() as AddressInfo).port
  }

  it('tells that nobody answers, without the password', async () => {
    const found = await check(at(`someone:hush-hush@127.0.0.1:${await freePort()}/plant`))
    assert.match(
      found,
      /^FAIL series: clickhouse:\/\/someone@127\.0\.0\.1:\d+\/plant: .*ECONNREFUSED; check host, port/
    )
    assert.doesNotMatch(found, /hush/)
  })

  it('tells that something else answers', async () => {
    const answers = [
      [404, 'hello, this is a page'],
      [200, 'hello, this is a page'],
      [200, '\n0123456789'], // a text that by chance has the right length
      [200, '']
    ] as const
    for (const [status, text] of answers) {
      const other = createHttpServer((_request, response) => response.writeHead(status).end(text))
      const found = await check(at(`127.0.0.1:${await listening(other)}`))
      assert.match(found, /^FAIL series: .*what answers there is no ClickHouse; check SERIES_URL$/)
      other.closeAllConnections()
      other.close()
    }
  })

  it('does not wait for long', async () => {
    const clock = new ManualClock()
    const silent = createServer((socket) => {
      socket.on('error', () => {}).resume()
      clock.advance(5000)
    })
    assert.match(await check(at(`127.0.0.1:${await listening(silent)}`), clock), /^FAIL series: .*no answer within 5 s/)
    await new Promise((resolve) => silent.close(resolve))
  })

  it('tells an option that there is not', async () => {
    assert.match(
      await check(at('127.0.0.1:1/plant?replica=true')),
      /^FAIL series: .*option "replica".*; check SERIES_URL/
    )
  })

  describe('that runs', { skip: missingClickhouse() ?? false }, () => {
    let folder: string
    let clickhouse: Clickhouse
    before(async () => {
      folder = makeFolder('clickhouse')
      clickhouse = await startClickhouse(folder, { shards: 2 })
    })
    after(async () => {
      await clickhouse?.stop()
      removeFolder(folder)
    })

    const checkAt = (change: (url: string) => string) =>
      check({ DATA_DIR: '/nonexistent', SERIES_URL: change(clickhouse.engineUrl('plant')) })

    it('tells its version, and a user or password that it does not take', async () => {
      assert.match(await checkAt((url) => url.replace(/\?.*/, '')), /^ok series: \S+\/plant: ClickHouse \d+\.\d+\S*$/)
      const refused = /^FAIL series: .*\(code \d+\); check the user and the password in SERIES_URL$/
      assert.match(await checkAt((url) => url.replace(/:[^/@]*@/, ':wrong@')), refused)
      assert.match(await checkAt((url) => url.replace('millrace:', 'nobody:')), refused)
    })

    it('asks every shard of the cluster', async () => {
      assert.match(
        await checkAt((url) => url.replace(/cluster=\w+/, 'cluster=other')),
        /^FAIL .* no cluster named other;/
      )
      assert.match(await checkAt((url) => url), /^ok series: .*, all 2 shards of two_shards answer$/)
      await clickhouse.nodes[1]?.kill()
      assert.match(await checkAt((url) => url), /^FAIL series: .*see to the servers of the cluster$/)
    })
  })
})
