// Once: what is proven is about files on the disk.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../support/eventually.ts'
import { flipByte, randomPlaces } from '../support/flip.ts'
import { tokenFor } from '../support/pipelines/site.ts'
import { createInstallation, type Env, runCli, type ServerProcess, startServer } from '../support/process.ts'
import { tries } from '../support/thorough.ts'

const FLIPS = tries(6, 12)
const DAYS = 3
const TAGS = 40
const POINTS = 300
const BATCHES = 20
const OBJECTS = 12
const FROM_MS = Date.UTC(2026, 0, 1)
const MS_PER_DAY = 86_400_000

const valueAt = (tag: number, day: number, point: number) => (tag * 31 + day * 7 + point * 13) % 1009
/** Some lie in the index, some have several blocks. */
const contentOf = (number: number) =>
  Buffer.alloc(number % 3 === 0 ? 900 : 70_000 + number * 9000, createHash('sha256').update(String(number)).digest())

type Told = { readonly health: string; readonly doctor: string }

describe('a disk that lies', { timeout: 1_500_000 }, () => {
  let env: Env
  let folder: string
  let sound: string
  let token: string
  let server: ServerProcess
  let source: string
  let drop: () => Promise<void>

  const call = (path: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api${path}`, { ...init, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const send = (path: string, body: string, type = 'application/json') =>
    call(path, { method: 'POST', headers: { 'content-type': type }, body })
  const write = async (points: readonly object[]) => {
    const lines = points.map((point) => JSON.stringify(point)).join('\n')
    const response = await send(`/catalog/sources/${source}/points?precision=ms`, lines, 'application/x-ndjson')
    assert.ok(response.ok, await response.text())
  }

  /** Days of points in files, others in the log, and objects: as they are before anything is changed. */
  before(async () => {
    const installation = await createInstallation()
    drop = installation.drop
    env = installation.env
    folder = env.DATA_DIR as string
    sound = `${folder}-sound`
    token = await tokenFor(env)
    server = await startServer(env)
    const made = await send('/catalog/sources', JSON.stringify({ name: 'plant' }))
    source = ((await made.json()) as { id: string }).id
    for (let day = 0; day < DAYS; day++) await write(pointsOf(day, 0, POINTS))
    await send('/buckets', JSON.stringify({ name: 'things' }))
    for (let number = 0; number < OBJECTS; number++) {
      const put = await call(`/buckets/things/objects/o${number}`, { method: 'PUT', body: contentOf(number) })
      assert.ok(put.ok, await put.text())
    }
    await seal()
    // In the log, a record each.
    for (let batch = 0; batch < BATCHES; batch++) await write(pointsOf(DAYS, batch * 10, 10))
    await server.stop('SIGKILL')
    cpSync(folder, sound, { recursive: true })
  })
  after(async () => {
    await server?.stop('SIGKILL')
    rmSync(sound, { recursive: true, force: true })
    await drop?.()
  })

  /** A generation is sealed when nobody has written for a while and it has enough points: or by a tag that is deleted. */
  async function seal(): Promise<void> {
    await write([{ tag: 'passing', time: FROM_MS, value: 1 }])
    const gone = await call(`/catalog/sources/${source}/tags/passing`, { method: 'DELETE' })
    assert.ok(gone.ok, await gone.text())
    await eventually(async () => {
      assert.ok(filesBelow(join(folder, 'series/points'), '.parquet').length >= DAYS)
      assert.ok(!existsSync(join(folder, 'series/log-1')))
    }, 30_000)
  }

  function pointsOf(day: number, from: number, count: number): object[] {
    return Array.from({ length: TAGS * count }, (_, i) => {
      const [tag, point] = [i % TAGS, from + Math.floor(i / TAGS)]
      return { tag: `t${tag}`, time: FROM_MS + day * MS_PER_DAY + point * 1000, value: valueAt(tag, day, point) }
    })
  }

  /** Starts on data as it was, but for what `damage` does to it. */
  async function startOn(damage: () => void): Promise<void> {
    rmSync(folder, { recursive: true, force: true })
    cpSync(sound, folder, { recursive: true })
    damage()
    server = await startServer(env)
  }

  /** Everything that can be asked for, day by day; no value may be wrong. Answers how many points are missing, and refusals. */
  async function askAll(): Promise<{ missing: number; refused: number; unread: string[] }> {
    const found = { missing: 0, refused: 0, unread: [] as string[] }
    for (let day = 0; day <= DAYS; day++) {
      const startTime = new Date(FROM_MS + day * MS_PER_DAY).toISOString()
      const endTime = new Date(FROM_MS + (day + 1) * MS_PER_DAY).toISOString()
      const response = await send('/catalog/query', JSON.stringify({ sourceId: source, startTime, endTime }))
      if (response.status !== 200) {
        const problem = (await response.json()) as { code: string; file: string; tag: string }
        assert.equal(problem.code, 'series_damaged', JSON.stringify(problem))
        assert.match(problem.file, /^points\/source=.*\.parquet$/)
        found.refused++
        continue
      }
      const { series } = (await response.json()) as {
        series: { tag: string; points: { time: string; value: number }[] }[]
      }
      const expected = day === DAYS ? BATCHES * 10 : POINTS
      let points = 0
      for (const { tag, points: some } of series) {
        for (const { time, value } of some) {
          const point = (Date.parse(time) - FROM_MS - day * MS_PER_DAY) / 1000
          assert.equal(value, valueAt(Number(tag.slice(1)), day, point), `${tag} at ${time}`)
        }
        points += some.length
      }
      found.missing += expected * TAGS - points
    }
    for (let number = 0; number < OBJECTS; number++) {
      if (!(await isWhole(number))) found.unread.push(`o${number}`)
    }
    return found
  }

  /** False where it is refused, or cut off; what is answered whole must be right. */
  async function isWhole(number: number): Promise<boolean> {
    const path = `/buckets/things/objects/o${number}`
    let bytes: Buffer
    try {
      const response = await call(path)
      const body = Buffer.from(await response.arrayBuffer())
      if (response.status !== 200) {
        assert.equal(JSON.parse(body.toString()).code, 'object_damaged')
        return false
      }
      bytes = body
    } catch {
      // Cut off: from now on it says why, and what is known of it can still be asked for.
      await eventually(async () => assert.equal((await call(path)).status, 500))
      assert.equal((await call(path, { method: 'HEAD' })).status, 200)
      return false
    }
    assert.ok(bytes.equals(contentOf(number)), `o${number} is wrong`)
    return true
  }

  async function diskHealth(): Promise<string> {
    const { checks } = (await (await call('/health')).json()) as {
      checks: { disk: { status: string; message?: string } }
    }
    return `${checks.disk.status} ${checks.disk.message ?? ''}`
  }

  async function told(): Promise<Told> {
    const said = await diskHealth()
    const { stdout, code } = await runCli(['doctor', '--deep'], env)
    assert.equal(code, said.startsWith('ok ') ? code : 1)
    return { health: said, doctor: stdout }
  }

  it('says nothing while all is well', async () => {
    await startOn(() => {})
    try {
      assert.deepEqual(await askAll(), { missing: 0, refused: 0, unread: [] })
      const { health, doctor } = await told()
      assert.equal(health, 'ok ')
      assert.doesNotMatch(doctor, /FAIL {2}(series|objects|deep)/)
    } finally {
      await server.stop()
    }
  })

  it(`loses at most a record of a log to each of ${FLIPS} flips, and says so`, async () => {
    const place = randomPlaces(11)
    for (let flip = 0; flip < FLIPS; flip++) {
      await startOn(() => {
        const log = join(
          folder,
          'series',
          readdirSync(join(folder, 'series')).find((name) => /^log-\d+$/.test(name)) ?? ''
        )
        const { at, change } = place(log)
        flipByte(log, at, change)
      })
      try {
        const { missing, refused, unread } = await askAll()
        assert.ok(missing <= 10 * TAGS, `${missing} points are missing`)
        assert.deepEqual([refused, unread], [0, []])
        const { checks } = (await (await call('/health')).json()) as {
          checks: { disk: { status: string; message: string } }
        }
        assert.equal(checks.disk.status, 'degraded')
        assert.match(checks.disk.message, /points.* are lost from 1 log/)
        if (flip % 10 === 0) assert.match((await told()).doctor, /FAIL {2}series .*log-\d+ was damaged in/)
      } finally {
        await server.stop('SIGKILL')
      }
    }
  })

  it(`gives no wrong value of files with ${FLIPS} flips, and all others`, async () => {
    const place = randomPlaces(12)
    for (let flip = 0; flip < FLIPS; flip++) {
      await startOn(() => {
        const files = filesBelow(join(folder, 'series/points'), '.parquet')
        const file = files[flip % files.length] as string
        const { at, change } = place(file)
        flipByte(file, at, change)
      })
      try {
        const { missing, refused, unread } = await askAll()
        assert.deepEqual([missing, unread], [0, []])
        assert.ok(refused <= 1, `${refused} days were refused`)
        if (refused === 1) {
          await eventually(async () => assert.match(await diskHealth(), /^degraded .*file\(s\) of points/))
          await told() // doctor fails as well
        }
        if (flip % 5 === 0) assert.match((await told()).doctor, /FAIL {2}deep .*\.parquet is damaged/)
      } finally {
        await server.stop('SIGKILL')
      }
    }
  })

  it(`never answers an object with one of ${FLIPS} flips as if it were whole, and all others`, async () => {
    const place = randomPlaces(13)
    await startOn(() => {})
    try {
      const contents = filesBelow(join(folder, 'objects/builtin/contents'), '')
      for (let flip = 0; flip < FLIPS; flip++) {
        const file = contents[flip % contents.length] as string
        const { at, change } = place(file)
        flipByte(file, at, change)
        const { unread } = await askAll()
        assert.equal(unread.length, Math.min(flip + 1, contents.length))
      }
      const damaged = Math.min(FLIPS, contents.length)
      const { health, doctor } = await told()
      assert.match(health, new RegExp(`^degraded .*${damaged} object\\(s\\) are damaged`))
      assert.equal(doctor.match(/FAIL {2}objects/g)?.length, damaged)
      assert.equal(doctor.match(/FAIL {2}deep .*objects/g)?.length, damaged)
      for (let number = 0; number < OBJECTS; number++) {
        await call(`/buckets/things/objects/o${number}`, { method: 'PUT', body: contentOf(number) })
      }
      assert.deepEqual((await askAll()).unread, [])
      await eventually(async () => assert.match(await diskHealth(), /^ok/))
    } finally {
      await server.stop('SIGKILL')
    }
  })
})

function filesBelow(folder: string, ending: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}
