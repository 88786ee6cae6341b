import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { postgresUrl } from '../support/database.ts'
import { type Env, runCli, runToEnd } from '../support/process.ts'

const folder = mkdtempSync(join(tmpdir(), 'millrace-starts-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'a-file')
writeFileSync(file, '')

interface Case {
  readonly what: string
  readonly env: Env
  readonly says: RegExp
}

const DATA_DIR = join(folder, 'data')
const anywhere: Case[] = [
  {
    what: 'a host that there is not',
    env: { DATA_DIR, HOST: 'no-such-host.invalid' },
    says: /can't listen: getaddrinfo .*no-such-host\.invalid\. Set another HOST or PORT/
  },
  { what: 'a data folder that is a file', env: { DATA_DIR: file }, says: /DATA_DIR .*is a file.*set it to a folder/ },
  { what: 'one below a file', env: { DATA_DIR: join(file, 'x') }, says: /DATA_DIR .*below one: set it to a folder/ },
  {
    what: 'one that can’t be made',
    env: { DATA_DIR: '/proc/x/y' },
    says: /DATA_DIR \(\/proc\/x\/y\) can't be used: .*set another/
  },
  {
    what: 'one that takes no files',
    env: { DATA_DIR: '/proc' },
    says: /DATA_DIR \(\/proc\) can't be used: .*set another/
  },
  {
    what: 'a store in a private network',
    env: { DATA_DIR, OBJECTS_URL: 's3://key:hush@127.0.0.1:9' },
    says: /The store of OBJECTS_URL can't be used: .*ALLOWED_HOSTS/
  },
  {
    what: 'a store that does not answer',
    env: { DATA_DIR, OBJECTS_URL: 's3://key:hush@127.0.0.1:1?tls=false', ALLOWED_HOSTS: '127.0.0.1' },
    says: /The store of OBJECTS_URL can't be used: /
  }
]

const SECRET_KEY = 'test-secret-'.repeat(4)
const ofPostgres = (change: (url: URL) => void): Env => {
  const url = new URL(postgresUrl as string)
  change(url)
  return { DATA_DIR, SECRET_KEY, DATABASE_URL: url.href }
}
const withPostgres = (): Case[] => [
  {
    what: 'a database that there is not',
    env: ofPostgres((url) => Object.assign(url, { pathname: '/nowhere' })),
    says: /database refuses: .*"nowhere" does not exist\. Make the database, or name another one in DATABASE_URL/
  },
  {
    what: 'a user that there is not',
    env: ofPostgres((url) => Object.assign(url, { username: 'stranger', password: 'hush' })),
    says: /database refuses: .*stranger.*\. Check the user and the password in DATABASE_URL/
  }
]

describe('a start that can’t succeed says which setting to look at', () => {
  for (const { what, env, says } of postgresUrl === undefined ? anywhere : withPostgres()) {
    it(what, async () => {
      const { code, stdout, stderr } = await runToEnd(['src/main.js'], { PORT: '0', LOG_LEVEL: 'silent', ...env })
      assert.deepEqual([code, stdout], [1, ''])
      assert.match(stderr, says)
      assert.doesNotMatch(stderr, /hush|\n +at /)
      if (env.DATABASE_URL === undefined) assert.doesNotMatch(stderr, /DATABASE_URL/)
    })
  }
})

if (postgresUrl === undefined) {
  describe('an embedded database that is missing beside its data', () => {
    for (const [what, parts] of Object.entries({
      objects: ['objects/sto_1/index.db'],
      points: ['series/log-1'],
      'what pipelines hold': ['pipelines/kept/a']
    })) {
      it(`${what}: is not begun anew`, async () => {
        const dataDir = mkdtempSync(join(folder, 'lost-'))
        for (const part of parts) {
          mkdirSync(join(dataDir, part, '..'), { recursive: true })
          writeFileSync(join(dataDir, part), 'x')
        }
        const before = readdirSync(dataDir)
        const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'silent' }
        const { code, stdout, stderr } = await runToEnd(['src/main.js'], env)
        assert.deepEqual([code, stdout], [1, ''])
        assert.match(stderr, /metadata\.db is missing in DATA_DIR.*put it back from a backup.*set another DATA_DIR/)
        const left = readdirSync(dataDir).filter((name) => !name.startsWith('lock'))
        assert.deepEqual(left, before, 'neither a database nor a secret was made')
        const doctor = await runCli(['doctor'], env)
        assert.equal(doctor.code, 1)
        assert.match(doctor.stdout, /FAIL {2}data folder +metadata\.db is missing/)
      })
    }

    it('is no matter where there is nothing yet', async () => {
      const dataDir = mkdtempSync(join(folder, 'new-'))
      mkdirSync(join(dataDir, 'pipelines/kept'), { recursive: true })
      mkdirSync(join(dataDir, 'series'))
      writeFileSync(join(dataDir, 'series/log-1'), '')
      const doctor = await runCli(['doctor'], { DATA_DIR: dataDir, PORT: '0' })
      assert.doesNotMatch(doctor.stdout, /missing/)
    })
  })
}

it('a backup to where none can be written says so', async () => {
  const dataDir = mkdtempSync(join(folder, 'backup-'))
  writeFileSync(join(dataDir, 'metadata.db'), '')
  const env = { DATA_DIR: dataDir, ...(postgresUrl !== undefined && { DATABASE_URL: postgresUrl, SECRET_KEY }) }
  const { code, stderr } = await runCli(['backup', '/proc/x/y'], env)
  assert.equal(code, 1)
  assert.match(stderr, /A folder \/proc\/x\/y can't be made: .*name one in a place that this user may write to/)
})
