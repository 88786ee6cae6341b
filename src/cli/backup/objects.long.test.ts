// Once: objects on disk.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../../test/support/database.ts'
import { get, makeBucket, namesIn, put } from '../../../test/support/objects/client.ts'
import { type Env, runCliHere } from '../../../test/support/process.ts'

const SECRET_KEY = 'a-secret-from-the-environment-'.repeat(2)
const LARGE = Buffer.alloc(100_000, 'large content ')
const SMALL = Buffer.from('small content')
const STORE = 'objects/builtin'

describe('objects in backup and restore', () => {
  let database: TestDatabase
  let test: TestApp
  let env: Env
  let folder: string
  let copies = 0
  let backup: string
  let target: Env
  const shared = () =>
    database.databaseUrl === undefined ? undefined : { DATABASE_URL: database.databaseUrl, SECRET_KEY }

  before(async () => {
    database = await createTestDatabase()
    env = { DATA_DIR: database.folder, ...shared() }
    test = await startTestApp({ database, env: shared() ?? {} })
    const { body } = await test.call('POST', '/api/storage/providers', {
      as: 'admin',
      body: { name: 'second', type: 'store-local' }
    })
    await makeBucket(test, 'first-bucket')
    await makeBucket(test, 'second-bucket', { providerId: body.id })
    await makeBucket(test, 'empty-bucket')
    await put(test, 'first-bucket', 'folder/large', LARGE)
    await put(test, 'first-bucket', 'small', SMALL)
    await put(test, 'second-bucket', 'large', LARGE)
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-objects-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await test.close()
  })

  beforeEach(async (t) => {
    copies++
    backup = join(folder, `backup-${copies}`)
    target = { ...env, DATA_DIR: join(folder, `data-${copies}`) }
    const { code, stderr } = await runCliHere(t as never, ['backup', backup], env)
    assert.deepEqual([code, stderr], [0, ''])
  })

  const contentsOf = (store: string) =>
    readdirSync(join(store, 'contents'), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name, parentPath }) => join(parentPath, name))
  const content = (at = backup) => contentsOf(join(at, STORE))[0] as string
  const placeOf = (env: Env) => env.DATA_DIR as string

  it('has one line in the manifest for a store, whatever it holds', async (t) => {
    const { files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const names: string[] = files.map(({ name }: { name: string }) => name)
    const stores = names.filter((name) => name.startsWith('objects/'))
    assert.equal(stores.length, 2)
    assert.equal(stores[0], `${STORE}/index.db`)
    assert.match(stores[1] as string, /^objects\/sp_\w+\/index\.db$/)
    assert.ok(!existsSync(join(database.folder, STORE, 'hold')))
    const { stdout } = await runCliHere(t, ['backup', `${backup}-again`], env)
    assert.match(stdout, /2 objects in files, 200000 bytes/)
  })

  it('serves them again after a restore, as they were', async (t) => {
    const { code, stderr } = await runCliHere(t, ['restore', backup], target)
    assert.deepEqual([code, stderr], [0, ''])
    const place = placeOf(target)
    const restored = await startTestApp({
      database: { ...database, folder: place, file: join(place, 'metadata.db'), drop: async () => {} },
      env: shared() ?? {}
    })
    try {
      assert.ok((await get(restored, 'first-bucket', 'folder/large')).bytes.equals(LARGE))
      assert.ok((await get(restored, 'first-bucket', 'small')).bytes.equals(SMALL))
      assert.ok((await get(restored, 'second-bucket', 'large')).bytes.equals(LARGE))
      assert.deepEqual(await namesIn(restored, 'empty-bucket'), [])
      for (let n = 0; n < 10; n++) {
        assert.equal((await put(restored, 'empty-bucket', `new-${n}`, LARGE)).status, 201)
      }
      const { headers } = await get(restored, 'first-bucket', 'folder/large')
      assert.equal(headers.get('etag'), `"${createHash('md5').update(LARGE).digest('hex')}"`)
    } finally {
      await restored.close()
    }
  })

  it('keeps restored contents for their owner only', async (t) => {
    assert.equal((await runCliHere(t, ['restore', backup], target)).code, 0)
    for (const file of contentsOf(join(placeOf(target), STORE))) assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual(readdirSync(join(placeOf(target), STORE)).sort(), ['contents', 'index.db', 'temporary', 'uploads'])
  })

  const damages: [string, () => void, RegExp][] = [
    ['a changed content', () => flipByte(content()), /"first-bucket\/folder\/large" is not as it was written/],
    [
      'a longer content',
      () => appendFileSync(content(), 'x'),
      /"first-bucket\/folder\/large" is not as it was written/
    ],
    ['a missing content', () => rmSync(content()), /"first-bucket\/folder\/large" is missing/],
    ['a changed index', () => flipByte(join(backup, STORE, 'index.db')), /objects\/builtin\/index\.db is not as/],
    ['a missing index', () => rmSync(join(backup, STORE, 'index.db')), /objects\/builtin\/index\.db is missing/],
    [
      'an index that lies about a small content',
      () => rewriteIndex(`update inlined set content = 'other content'`),
      /"first-bucket\/small" is not as it was written/
    ],
    [
      'an index that has lost a small content',
      () => rewriteIndex('delete from inlined'),
      /"first-bucket\/small" is missing/
    ],
    [
      'an index that leads elsewhere',
      () => rewriteIndex(`update objects set file = '../../../secret.key' where file is not null`),
      /"first-bucket\/folder\/large" has a name that no content has/
    ]
  ]
  for (const [what, damage, message] of damages) {
    it(`refuses a backup with ${what}, and changes nothing`, async (t) => {
      damage()
      const place = placeOf(target)
      assert.equal((await runCliHere(t, ['restore', backup], target)).code, 1)
      assert.deepEqual(withoutLock(place), [])
      writeFileSync(join(place, 'precious'), 'data')
      const { code, stderr } = await runCliHere(t, ['restore', backup, '--force'], target)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.match(stderr, /nothing was changed/)
      assert.deepEqual(withoutLock(place), ['precious'])
    })
  }

  it('moves earlier objects aside with the rest', async (t) => {
    assert.equal((await runCliHere(t, ['restore', backup], target)).code, 0)
    const { code, stdout } = await runCliHere(t, ['restore', backup, '--force'], target)
    assert.equal(code, 0)
    const [, aside = ''] = /before is in (.*)\.\n/.exec(stdout) ?? []
    assert.equal(contentsOf(join(aside, STORE)).length, 1)
    assert.equal(contentsOf(join(placeOf(target), STORE)).length, 1)
  })

  it('refuses to restore over a store that a server uses', async (t) => {
    const { code, stderr } = await runCliHere(t, ['restore', backup, '--force'], env)
    assert.equal(code, 1)
    assert.match(stderr, /in use by another millrace process/)
    assert.ok((await get(test, 'first-bucket', 'folder/large')).bytes.equals(LARGE))
  })

  it('fails by the name of an object whose content is missing, and leaves nothing behind', async (t) => {
    const file = content(database.folder)
    renameSync(file, join(folder, 'away'))
    const { code, stderr } = await runCliHere(t, ['backup', `${backup}-broken`], env)
    renameSync(join(folder, 'away'), file)
    assert.equal(code, 1)
    assert.match(stderr, /"first-bucket\/folder\/large" is missing: put it back from an older backup or delete/)
    assert.ok(!readdirSync(folder).some((name) => name.includes('-broken')))
    assert.ok(!existsSync(join(database.folder, STORE, 'hold')))
  })

  it('is not hindered by what a killed backup has left', async (t) => {
    const hold = join(database.folder, STORE, 'hold')
    writeFileSync(hold, 'of a process that is no more')
    assert.equal((await runCliHere(t, ['backup', `${backup}-next`], env)).code, 0)
    const old = new Date(Date.now() - 120_000)
    utimesSync(hold, old, old)
    assert.equal((await runCliHere(t, ['backup', `${backup}-after`], env)).code, 0)
    assert.ok(!existsSync(hold))
  })

  it('says that objects elsewhere are not in it', async (t) => {
    const remote = { ...env, OBJECTS_URL: 's3://key:hush-hush@127.0.0.1:1/prefix' }
    const { code, stdout } = await runCliHere(t, ['backup', `${backup}-remote`], remote)
    assert.equal(code, 0)
    assert.match(stdout, /objects at OBJECTS_URL are not in it/)
    assert.doesNotMatch(stdout, /hush/)
  })

  if (postgresUrl === undefined) {
    it('restores a backup from before there were objects', async (t) => {
      rmSync(join(backup, 'objects'), { recursive: true })
      const file = join(backup, 'manifest.json')
      const manifest = JSON.parse(readFileSync(file, 'utf8'))
      const files = manifest.files.filter(({ name }: { name: string }) => !name.startsWith('objects/'))
      writeFileSync(file, JSON.stringify({ ...manifest, files }))
      assert.equal((await runCliHere(t, ['restore', backup], target)).code, 0)
      assert.ok(!existsSync(join(placeOf(target), 'objects')))
    })

    it('has every bucket that the database knows, also one that was deleted in between', async (t) => {
      await makeBucket(test, 'passing-bucket')
      const index = new DatabaseSync(join(database.folder, STORE, 'index.db'), { timeout: 5000 })
      index.exec(`delete from buckets where name = 'passing-bucket'`)
      index.close()
      assert.equal((await runCliHere(t, ['backup', `${backup}-fit`], env)).code, 0)
      const copy = new DatabaseSync(join(`${backup}-fit`, STORE, 'index.db'), { readOnly: true })
      const names = copy.prepare('select name from buckets order by name').all()
      copy.close()
      assert.deepEqual(
        names.map(({ name }) => name),
        ['empty-bucket', 'first-bucket', 'passing-bucket']
      )
    })
  }

  /** Makes damage that the checksums of the manifest do not show. */
  function rewriteIndex(statement: string): void {
    const name = `${STORE}/index.db`
    const index = new DatabaseSync(join(backup, name))
    index.exec(statement)
    index.close()
    const bytes = readFileSync(join(backup, name))
    const facts = { name, sizeBytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
    const manifest = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const files = manifest.files.map((file: { name: string }) => (file.name === name ? facts : file))
    writeFileSync(join(backup, 'manifest.json'), JSON.stringify({ ...manifest, files }))
  }
})

function withoutLock(place: string): string[] {
  return readdirSync(place).filter((name) => !name.startsWith('lock'))
}

function flipByte(file: string): void {
  const bytes = readFileSync(file)
  bytes[bytes.length - 10] = (bytes[bytes.length - 10] as number) ^ 1
  writeFileSync(file, bytes)
}
