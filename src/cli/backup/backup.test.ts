import assert from 'node:assert/strict'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestApp } from '../../../test/support/app.ts'
import { createTestDatabase, postgresUrl, type TestDatabase } from '../../../test/support/database.ts'
import { type Env, runCliHere } from '../../../test/support/process.ts'
import { lockFolder } from '../../engines/folder-lock.ts'

const SECRET_KEY = 'a-secret-from-the-environment-'.repeat(2)

describe('backup and restore', () => {
  let database: TestDatabase
  let env: Env
  let folder: string
  let copies = 0

  before(async () => {
    database = await createTestDatabase()
    const shared = database.databaseUrl === undefined ? undefined : { DATABASE_URL: database.databaseUrl, SECRET_KEY }
    env = { DATA_DIR: database.folder, ...shared }
    const test = await startTestApp({ database, env: shared ?? {} })
    await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'kept' } })
    await test.app.stop() // stopping leaves a checkpoint
    await test.platform.close()
    folder = mkdtempSync(join(tmpdir(), 'millrace-backup-'))
  })
  after(async () => {
    rmSync(folder, { recursive: true })
    await database.drop()
  })

  const embedded = postgresUrl === undefined
  let backup: string
  let target: Env

  beforeEach(async (t) => {
    copies++
    backup = join(folder, `backup-${copies}`)
    target = { ...env, DATA_DIR: join(folder, `data-${copies}`) }
    const { code, stderr } = await runCliHere(t as never, ['backup', backup], env)
    assert.equal(code, 0, stderr)
  })

  it('keeps what matters, for its owner only, with a manifest', () => {
    const { format, version, time, files } = JSON.parse(readFileSync(join(backup, 'manifest.json'), 'utf8'))
    const names = files.map(({ name }: { name: string }) => name)
    const expected = embedded
      ? ['secret.key', 'audit-checkpoints.ndjson', 'metadata.db']
      : ['replicas/id', 'audit-checkpoints.ndjson']
    assert.deepEqual(names, expected)
    assert.deepEqual(
      readdirSync(backup).sort(),
      [...expected, 'manifest.json'].map((name) => name.split('/')[0]).sort()
    )
    assert.equal(format, 1)
    assert.match(version, /^\d+\.\d+\.\d+$/)
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000)
    for (const { name, sizeBytes, sha256 } of files) {
      assert.equal(statSync(join(backup, name)).size, sizeBytes)
      assert.match(sha256, /^[\da-f]{64}$/)
    }
    assert.equal(statSync(backup).mode & 0o777, 0o700)
  })

  it('says what is not in it', async (t) => {
    const { stdout } = await runCliHere(t, ['backup', `${backup}-again`], { ...env, SECRET_KEY })
    assert.match(stdout, /SECRET_KEY is not in it/)
    assert.equal(/PostgreSQL database is not in it.*pg_dump/.test(stdout), !embedded)
    assert.ok(!existsSync(join(`${backup}-again`, 'secret.key')))
  })

  it('does not touch a folder that exists', async (t) => {
    const { code, stderr } = await runCliHere(t, ['backup', backup], env)
    assert.equal(code, 1)
    assert.match(stderr, /exists already/)
  })

  if (embedded) {
    it('leaves nothing behind where it fails', async (t) => {
      const broken = { DATA_DIR: join(folder, `broken-${copies}`) }
      mkdirSync(broken.DATA_DIR)
      writeFileSync(join(broken.DATA_DIR, 'metadata.db'), 'no database '.repeat(200))
      const { code } = await runCliHere(t, ['backup', `${backup}-broken`], broken)
      assert.equal(code, 1)
      assert.deepEqual(
        readdirSync(folder).filter((name) => name.includes(`${basename(backup)}-broken`)),
        []
      )
    })
  }

  it('puts everything back and checks it', async (t) => {
    const { code, stdout, stderr } = await runCliHere(t, ['restore', backup], target)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /is back in/)
    assert.match(stdout, embedded ? /The audit trail is whole: \d+ rows/ : /Restore the PostgreSQL database too/)
    const restored = readdirSync(target.DATA_DIR as string).filter(
      (name) => !name.startsWith('lock') && !/-(wal|shm)$/.test(name)
    )
    assert.deepEqual(
      restored.sort(),
      readdirSync(backup)
        .filter((name) => name !== 'manifest.json')
        .sort()
    )
    for (const name of restored) assert.equal(statSync(join(target.DATA_DIR as string, name)).mode & 0o077, 0)
    const idOf = (folder: string) => readFileSync(join(folder, 'replicas/id'), 'utf8')
    // By this id the shared database knows that points and objects are in this folder.
    if (!embedded) assert.equal(idOf(target.DATA_DIR as string), idOf(env.DATA_DIR as string))
    assert.equal((await runCliHere(t, ['audit', 'verify'], target)).code, 0)
  })

  it('moves what was there aside, if told to', async (t) => {
    const place = target.DATA_DIR as string
    mkdirSync(place)
    writeFileSync(join(place, 'metadata.db'), 'the old one')
    writeFileSync(join(place, 'metadata.db-wal'), 'and its log')
    const refused = await runCliHere(t, ['restore', backup], target)
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /is not empty: use --force/)
    assert.equal(readFileSync(join(place, 'metadata.db'), 'utf8'), 'the old one')

    const { code, stdout } = await runCliHere(t, ['restore', backup, '--force'], target)
    assert.equal(code, 0)
    const [, aside = ''] = /before is in (.*)\.\n/.exec(stdout) ?? []
    assert.deepEqual(readdirSync(aside).sort(), ['metadata.db', 'metadata.db-wal'])
    assert.equal(readFileSync(join(aside, 'metadata.db'), 'utf8'), 'the old one')
    assert.equal((await runCliHere(t, ['restore', backup, '--force'], target)).code, 0)
    assert.ok(existsSync(aside), 'what was moved aside before stays where it is')
  })

  it('goes on where a restore was interrupted', async (t) => {
    const place = target.DATA_DIR as string
    mkdirSync(join(place, 'restoring-1'), { recursive: true })
    writeFileSync(join(place, 'restore-unfinished'), '')
    assert.equal((await runCliHere(t, ['restore', backup], target)).code, 1)
    assert.equal((await runCliHere(t, ['restore', backup, '--force'], target)).code, 0)
    assert.ok(!existsSync(join(place, 'restore-unfinished')))
  })

  it('refuses a folder that a process holds', async (t) => {
    const unlock = lockFolder(target.DATA_DIR as string)
    const { code, stderr } = await runCliHere(t, ['restore', backup, '--force'], target)
    unlock()
    assert.equal(code, 1)
    assert.match(stderr, /in use by another millrace process/)
  })

  const damages: [string, (backup: string) => void, RegExp][] = [
    ['no manifest', (at) => rmSync(join(at, 'manifest.json')), /not a backup/],
    [
      'a manifest that is cut',
      (at) => writeFileSync(join(at, 'manifest.json'), '{"format":1'),
      /manifest.json.*damaged/
    ],
    ['a changed file', (at) => flipByte(join(at, 'audit-checkpoints.ndjson')), /not as it was written/],
    ['a longer file', (at) => appendFileSync(join(at, 'audit-checkpoints.ndjson'), '{}\n'), /not as it was written/],
    ['a missing file', (at) => rmSync(join(at, 'audit-checkpoints.ndjson')), /audit-checkpoints\.ndjson is missing/],
    ['a name that leads elsewhere', (at) => renameInManifest(at, '../secret.key'), /manifest.json.*damaged/],
    ['a newer format', (at) => editManifest(at, (manifest) => ({ ...manifest, format: 2 })), /newer version/]
  ]
  for (const [what, damage, message] of damages) {
    it(`refuses a backup with ${what}, and changes nothing`, async (t) => {
      damage(backup)
      const place = target.DATA_DIR as string
      mkdirSync(place)
      writeFileSync(join(place, 'precious'), 'data')
      const { code, stderr } = await runCliHere(t, ['restore', backup, '--force'], target)
      assert.equal(code, 1)
      assert.match(stderr, message)
      assert.deepEqual(
        readdirSync(place).filter((name) => !name.startsWith('lock')),
        ['precious']
      )
    })
  }

  if (embedded) {
    it('says so when the audit trail of a backup is not whole', async (t) => {
      const place = target.DATA_DIR as string
      assert.equal((await runCliHere(t, ['restore', backup], target)).code, 0)
      const { DatabaseSync } = await import('node:sqlite')
      const file = new DatabaseSync(join(place, 'metadata.db'))
      file.exec(`update audit_logs set action = 'nothing.done' where seq = 1`)
      file.close()
      const verify = await runCliHere(t, ['audit', 'verify'], target)
      assert.equal(verify.code, 1)
      assert.match(verify.stderr, /first at row 1 of lane 0 \(aud_\w+\): The row is not as it was written/)
      const json = await runCliHere(t, ['audit', 'verify', '--json'], target)
      assert.equal(json.code, 1)
      assert.equal(JSON.parse(json.stdout).firstBad.reason, 'changed')
      assert.equal((await runCliHere(t, ['backup', `${backup}-bad`], target)).code, 0)
      const restored = await runCliHere(t, ['restore', `${backup}-bad`, '--force'], target)
      assert.equal(restored.code, 1)
      assert.match(restored.stderr, /tampered with or damaged/)
    })
  }

  it('wants the settings of the same kind of installation', async (t) => {
    const other = embedded
      ? { ...target, DATABASE_URL: 'postgres://127.0.0.1:1/x' }
      : { DATA_DIR: target.DATA_DIR as string }
    const { code, stderr } = await runCliHere(t, ['restore', backup], other)
    assert.equal(code, 1)
    assert.match(stderr, embedded ? /embedded database, but DATABASE_URL is set/ : /with DATABASE_URL set/)
    cpSync(backup, `${backup}-bare`, { recursive: true })
    editManifest(`${backup}-bare`, (manifest) => ({
      ...manifest,
      files: manifest.files.filter(({ name }) => name !== 'secret.key')
    }))
    const { SECRET_KEY: _none, ...without } = target
    assert.match(
      (await runCliHere(t, ['restore', `${backup}-bare`], without as Env)).stderr,
      /set it to what it was then/
    )
    assert.ok(!existsSync(target.DATA_DIR as string))
  })
})

interface AnyManifest {
  files: { name: string }[]
}

function editManifest(backup: string, edit: (manifest: AnyManifest) => object): void {
  const file = join(backup, 'manifest.json')
  writeFileSync(file, JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')))))
}

function renameInManifest(backup: string, name: string): void {
  editManifest(backup, (manifest) => ({ ...manifest, files: manifest.files.map((file) => ({ ...file, name })) }))
}

function flipByte(file: string): void {
  const content = readFileSync(file)
  content[10] = (content[10] as number) ^ 1
  writeFileSync(file, content)
}
