// Once: the disk store in a process of its own.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { pattern } from '../../src/engines/objects/testing/bodies.ts'
import { eventually } from '../support/eventually.ts'
import { upAndDown } from '../support/objects/huge.ts'
import { leftovers } from '../support/objects/leftovers.ts'
import { ObjectLoader } from '../support/objects/loader.ts'
import { callServer, createInstallation, type Env, type ServerProcess, startServer } from '../support/process.ts'
import { missingPrograms } from '../support/servers/installed.ts'
import { tries } from '../support/thorough.ts'
import { makeToken } from '../support/token.ts'

const CHROMIUM = '/usr/bin/chromium'
const MIB = 1024 * 1024
const ROUNDS = tries(2, 4)
const MAX_GROWTH_MIB = 64
const run = promisify(execFile)

const tokenFor = (env: Env) => makeToken(env, 'objects')

describe('objects of a server that is killed in the midst of uploads', () => {
  it('are there if they were acknowledged, and whole if they are there', { timeout: 400_000 }, async (t) => {
    const { database, env, drop } = await createInstallation()
    let server: ServerProcess | undefined
    try {
      const loader = new ObjectLoader(await tokenFor(env))
      for (let round = 0; round <= ROUNDS; round++) {
        server = await startServer(env)
        const { url } = server
        if (round === 0) await loader.makeBucket(url)
        const files = await loader.check(url)
        await eventually(() => assert.deepEqual(leftovers(database.folder, files), []))
        if (round === ROUNDS) break
        const uploads = loader.uploadUntilGone(url, 100)
        const enough = loader.acknowledged + randomInt(50, 200)
        await eventually(() => loader.acknowledged >= enough)
        await server.stop('SIGKILL')
        await uploads
      }
      t.diagnostic(`${loader.acknowledged} uploads acknowledged before ${ROUNDS} crashes`)
    } finally {
      await server?.stop('SIGKILL')
      await drop()
    }
  })
})

describe('objects, for the programs that people use', () => {
  let installation: Awaited<ReturnType<typeof createInstallation>>
  let server: ServerProcess
  let token: string
  let folder: string

  before(async () => {
    installation = await createInstallation()
    server = await startServer(installation.env)
    token = await tokenFor(installation.env)
    folder = await mkdtemp(join(tmpdir(), 'millrace-objects-'))
    assert.equal((await callServer(server.url, token, 'POST', '/api/buckets', { name: 'people' })).status, 201)
  })
  after(async () => {
    await server.stop()
    await installation.drop()
    await rm(folder, { recursive: true, force: true })
  })

  const address = (key: string) => `${server.url}/api/buckets/people/objects/${key}`
  const curl = (...args: string[]) =>
    run('curl', ['--silent', '--show-error', '--fail-with-body', '-H', `Authorization: Bearer ${token}`, ...args])

  it('curl sends files both ways and goes on with a download that was cut', {
    skip: missingPrograms('curl')
  }, async () => {
    const content = pattern(3 * MIB)
    const file = join(folder, 'from.bin')
    await writeFile(file, content)
    const sent = await curl('-F', `file=@${file}`, '-F', 'key=by/form.bin', `${server.url}/api/buckets/people/objects`)
    assert.equal(JSON.parse(sent.stdout).name, 'by/form.bin')
    await curl('-T', file, address('by/put.bin'))
    for (const key of ['by/form.bin', 'by/put.bin']) {
      const target = join(folder, 'to.bin')
      await curl('-o', target, address(key))
      assert.ok((await readFile(target)).equals(content))
      await truncate(target, randomInt(1, content.length))
      await curl('-C', '-', '-o', target, address(key))
      assert.ok((await readFile(target)).equals(content), 'whole again')
    }
  })

  const noBrowser = existsSync(CHROMIUM) ? undefined : 'chromium is not installed'
  it('a browser sends a form and reads the object back', { skip: noBrowser, timeout: 60_000 }, async () => {
    const { chromium } = await import('playwright-core')
    const args = ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu']
    const browser = await chromium.launch({ executablePath: CHROMIUM, headless: true, args })
    try {
      const page = await browser.newPage()
      await page.goto(`${server.url}/api/docs`)
      const answer = await page.evaluate(sendAndRead, { path: '/api/buckets/people/objects', token })
      assert.deepEqual(answer, {
        status: 201,
        name: 'browser/\u00fc 1.txt',
        type: 'text/plain',
        text: 'from a browser'
      })
    } finally {
      await browser.close()
    }
  })

  it('half a gigabyte passes through in little memory', { timeout: 400_000 }, async (t) => {
    const figures = await upAndDown(server.url, token, 512 * MIB)
    t.diagnostic(JSON.stringify(figures))
    assert.ok(figures.peakMib - figures.warmMib < MAX_GROWTH_MIB, JSON.stringify(figures))
  })
})

/** Runs in the browser. */
async function sendAndRead({ path, token }: { path: string; token: string }) {
  const headers = { authorization: `Bearer ${token}` }
  const form = new FormData()
  form.append('key', 'browser/')
  form.append('file', new File(['from a browser'], '\u00fc 1.txt', { type: 'text/plain' }))
  const sent = await fetch(path, { method: 'POST', headers, body: form })
  const { name } = (await sent.json()) as { name: string }
  const read = await fetch(`${path}/${encodeURIComponent(name)}`, { headers })
  return { status: sent.status, name, type: read.headers.get('content-type'), text: await read.text() }
}
