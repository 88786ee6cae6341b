// Once: the files of points in a backup.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, describe, it, type TestContext } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { type Env, runCliHere } from '../../../test/support/process.ts'
import { ask, writeGood } from '../../engines/series/testing/asking.ts'
import { filesIn, numbersIn, open, writeNumbers } from './testing/series.ts'

const SUMS = 'series/sha256sums'
const POINTS_A_WRITE = 50
const POINTS = 2000

describe('time series in backup and restore', () => {
  let test: TestApp
  let env: Env
  let folder: string
  let backup: string
  let series: string

  before(async () => {
    test = await startTestApp()
    env = { DATA_DIR: test.database.folder }
    series = join(test.database.folder, 'series')
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-series-'))
    backup = join(folder, 'whole')
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await test.close()
  })

  const run = async (t: TestContext, args: string[], dataDir = test.database.folder) => {
    const { code, stdout, stderr } = await runCliHere(t, args, { ...env, DATA_DIR: dataDir })
    assert.deepEqual([code, stderr], [0, ''])
    return stdout
  }

  it('has no part for them while there are none', async (t) => {
    await run(t, ['backup', join(folder, 'early')])
    assert.ok(!existsSync(join(folder, 'early', 'series')))
    await run(t, ['restore', join(folder, 'early')], join(folder, 'early-data'))
  })

  it('has all that was written before, and nothing that was dropped', async (t) => {
    const engine = await open(series, { generationPoints: 500 })
    await writeGood(engine, 'dropped', 'a value=1 1')
    for (let n = 0; n < POINTS; n += POINTS_A_WRITE) await writeNumbers(engine, n, POINTS_A_WRITE)
    // Some points are in files of their own, and the last is in the log.
    const points = join(series, 'points')
    await eventually(() => existsSync(points) && filesIn(points).length > 0)
    await engine.drop('dropped')
    await writeNumbers(engine, POINTS, POINTS_A_WRITE)
    await run(t, ['backup', backup])
    await engine.close()
    const place = join(folder, 'whole-data')
    await run(t, ['restore', backup], place)
    const restored = await open(join(place, 'series'))
    assert.deepEqual(
      await numbersIn(restored),
      Array.from({ length: POINTS + POINTS_A_WRITE }, (_, n) => n)
    )
    assert.deepEqual((await ask(restored, 'dropped')).series, [])
    await restored.close()
  })

  it('has one line in the manifest for all of them, with sums that others can check', async (t) => {
    const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const names = files.map(({ name }: { name: string }) => name)
    assert.deepEqual(
      names.filter((name: string) => name.startsWith('series')),
      [SUMS]
    )
    execFileSync('/usr/bin/env', ['sha256sum', '--check', '--strict', '--quiet', 'sha256sums'], {
      cwd: join(backup, 'series')
    })
    const listed = readFileSync(join(backup, SUMS), 'utf8').split('\n').length - 1
    assert.equal(filesIn(join(backup, 'series')).length, listed + 1)
    for (const file of filesIn(join(backup, 'series'))) assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.match(await run(t, ['backup', join(folder, 'again')]), /\n {2}\d+ files of points, \d+ bytes\n/)
  })

  it('restores files for their owner only, and nothing else', async (t) => {
    const place = join(folder, 'modes')
    await run(t, ['restore', backup], place)
    for (const file of filesIn(join(place, 'series'))) assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(filesIn(join(place, 'series')).length, filesIn(join(backup, 'series')).length - 1)
    assert.equal(statSync(join(place, 'series')).mode & 0o777, 0o700)
    const moved = await run(t, ['restore', backup, '--force'], place)
    const [, aside = ''] = /before is in (.*)\.\n/.exec(moved) ?? []
    assert.ok(existsSync(join(aside, 'series', 'index.db')))
  })

  const damages: [string, (at: string) => void, RegExp][] = [
    ['a changed file', (at) => flipByte(parquetIn(at)), /series\/points\/\S+parquet is not as it was written/],
    ['a missing file', (at) => rmSync(parquetIn(at)), /series\/points\/\S+parquet is missing/],
    ['a changed log', (at) => flipByte(logIn(at)), /series\/log-\d+ is not as it was written/],
    ['a missing log', (at) => rmSync(logIn(at)), /series\/log-\d+ is missing/],
    ['a changed index', (at) => flipByte(join(at, 'series/index.db')), /series\/index\.db is not as it was written/],
    ['other sums', (at) => appendFileSync(join(at, SUMS), '\n'), /series\/sha256sums is not as it was written/],
    ['a sum of what is elsewhere', (at) => rewriteSums(at, `${'0'.repeat(64)}  ../secret.key\n`), /no backup has/],
    ['a log of which nothing is said', (at) => rewriteSums(at, '', /.* {2}log-.*\n/g), /series: log-\d+ is missing/],
    [
      'an index that leads elsewhere',
      (at) => rewriteIndex(at, `update files set path = '../../' || path`),
      /series: "\.\.\/\.\.\/points\S+" is a name that no file of points has/
    ],
    [
      'an index that would remove what is elsewhere',
      (at) => rewriteIndex(at, `insert into doomed values ('../metadata.db')`),
      /series: "\.\.\/metadata\.db" is a name that no file of points has/
    ]
  ]
  for (const [what, damage, message] of damages) {
    it(`refuses a backup with ${what}, and changes nothing`, async (t) => {
      const at = join(folder, what.replaceAll(' ', '-'))
      cpSync(backup, at, { recursive: true })
      damage(at)
      const place = `${at}-data`
      const { code, stderr } = await runCliHere(t, ['restore', at], { DATA_DIR: place })
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.match(stderr, /nothing was changed/)
      assert.deepEqual(
        readdirSync(place).filter((name) => !name.startsWith('lock')),
        []
      )
    })
  }

  it('fails by the name of a file that is missing, and leaves nothing behind', async (t) => {
    const file = parquetIn(test.database.folder)
    renameSync(file, join(folder, 'away'))
    const { code, stderr } = await runCliHere(t, ['backup', join(folder, 'broken')], env)
    renameSync(join(folder, 'away'), file)
    assert.equal(code, 1)
    assert.match(stderr, /points\/\S+parquet is missing: see what 'millrace doctor' says/)
    assert.ok(!readdirSync(folder).some((name) => name.startsWith('broken')))
  })

  it('says that points in ClickHouse are not in it', async (t) => {
    const remote = { ...env, SERIES_URL: 'clickhouse://user:hush-hush@127.0.0.1:1/plant' }
    const { code, stdout } = await runCliHere(t, ['backup', join(folder, 'remote')], remote)
    assert.equal(code, 0)
    assert.match(stdout, /time series at SERIES_URL are not in it.*ClickHouse's own tools/)
    const data = { ...remote, DATA_DIR: join(folder, 'remote-data') }
    const restored = await runCliHere(t, ['restore', join(folder, 'remote')], data)
    assert.match(restored.stdout, /Restore the time series at SERIES_URL too/)
    assert.doesNotMatch(stdout + restored.stdout, /hush/)
  })
})

const parquetIn = (at: string) => filesIn(join(at, 'series/points'))[0] as string
const logIn = (at: string) => filesIn(join(at, 'series')).find((file) => /log-\d+$/.test(file)) as string

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length - 10] = (bytes[bytes.length - 10] as number) ^ 1
  writeFileSync(file, bytes)
}

/** Makes damage that no checksum shows. */
function rewriteSums(at: string, add: string, remove = /^$/): void {
  const text = `${readFileSync(join(at, SUMS), 'utf8').replace(remove, '')}${add}`
  writeFileSync(join(at, SUMS), text)
  const facts = { name: SUMS, sizeBytes: text.length, sha256: createHash('sha256').update(text).digest('hex') }
  const manifest = JSON.parse(readFileSync(join(at, 'manifest.json'), 'utf8'))
  const files = manifest.files.map((file: { name: string }) => (file.name === SUMS ? facts : file))
  writeFileSync(join(at, 'manifest.json'), JSON.stringify({ ...manifest, files }))
}

function rewriteIndex(at: string, statement: string): void {
  const index = new DatabaseSync(join(at, 'series/index.db'))
  index.exec(statement)
  index.close()
  const sha256 = createHash('sha256')
    .update(readFileSync(join(at, 'series/index.db')))
    .digest('hex')
  rewriteSums(at, `${sha256}  index.db\n`, /.* {2}index\.db\n/)
}
