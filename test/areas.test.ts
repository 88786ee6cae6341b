// Once: what an area is.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { AREAS } from '../src/areas.ts'
import { writeWithKept } from '../src/cli/backup/kept-files.ts'
import { examine } from '../src/cli/doctor/examine.ts'
import { declareSettings } from '../src/config.ts'
import { declareErrors } from '../src/errors.ts'
import type { Finding } from '../src/finding.ts'
import { declarePermissions } from '../src/http/permissions.ts'
import { addressOf } from '../src/http/route.ts'
import { metadataFile } from '../src/platform.ts'
import { startTestApp, type TestApp } from './support/app.ts'
import { eventually } from './support/eventually.ts'
import { things } from './support/made-up/area.ts'

const root = join(import.meta.dirname, '..')

/** The files among what was loaded, as the repository calls them. */
const ownNames = (urls: readonly string[]): string[] =>
  urls.filter((url) => url.startsWith('file:')).map((url) => url.slice(url.indexOf(root) + root.length + 1))

describe('every area', () => {
  it('has a declaration that loads nothing of its body', () => {
    const script = `
      import { registerHooks } from 'node:module'
      const files = []
      registerHooks({ load: (url, context, next) => { files.push(url); return next(url, context) } })
      await import('./src/areas.ts')
      const declared = files.length
      await import('./src/serve.ts')
      console.log(JSON.stringify([files.slice(0, declared), files]))`
    const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8'
    })
    const [names, atStart] = (JSON.parse(output) as [string[], string[]]).map(ownNames) as [string[], string[]]
    const packages = new Set(names.flatMap((name) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(name)?.[1] ?? []))
    assert.deepEqual([...packages].sort(), ['ipaddr.js'], 'packages that a declaration loads')
    const ofAreas = names.filter((name) => name.startsWith('src/areas/'))
    const heavy = ofAreas.filter((name) => !/\/(area|errors|key-address)\.ts$/.test(name))
    assert.deepEqual(heavy, [])
    assert.equal(ofAreas.filter((name) => name.endsWith('/area.ts')).length, AREAS.length)
    const migrations = atStart.filter((name) => /^src\/areas\/.*\/migrations\.ts$/.test(name))
    assert.deepEqual(migrations, [], 'what is read only where it has not run')
  })

  it('is asked for its health before anything is loaded that compiles schemas', () => {
    const script = `
      import { createRequire } from 'node:module'
      import { buildApp } from './src/app.ts'
      import { readConfig } from './src/areas.ts'
      import { openPlatform } from './src/platform.ts'
      const platform = await openPlatform(readConfig({ DATA_DIR: process.env.FOLDER, LOG_LEVEL: 'silent' }))
      const app = buildApp(platform)
      await app.start()
      const ask = (path) => fetch(app.http.listeningOrigin + path)
      const compilers = () => Object.keys(createRequire(process.cwd() + '/').cache).filter((name) => name.includes('/ajv/')).length
      await app.http.listen({ host: '127.0.0.1', port: 0 })
      const { checks } = await (await ask('/api/health')).json()
      const before = compilers()
      const { loadSchemaLibraries } = await import('./src/http/schema-libraries.ts')
      loadSchemaLibraries()
      console.log(JSON.stringify([Object.keys(checks).length, before, compilers()]))
      await app.stop()
      await platform.close()`
    const folder = mkdtempSync(join(tmpdir(), 'millrace-areas-'))
    try {
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, FOLDER: folder }
      })
      const [checks, before, after] = JSON.parse(output) as [number, number, number]
      assert.ok(checks > 1)
      assert.equal(before, 0, 'files of Ajv')
      assert.ok(after > 0)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has a body that loads nothing of the engine that SQL runs on, which is in other processes', () => {
    const script = `
      import { buildApp } from './src/app.ts'
      import { readConfig } from './src/areas.ts'
      import { openPlatform } from './src/platform.ts'
      const platform = await openPlatform(readConfig({ DATA_DIR: process.env.FOLDER, LOG_LEVEL: 'silent' }))
      const app = buildApp(platform)
      await app.start()
      await app.load()
      console.log(JSON.stringify([app.loadedAreas(), process.report.getReport().sharedObjects]))
      await app.stop()
      await platform.close()`
    const folder = mkdtempSync(join(tmpdir(), 'millrace-areas-'))
    try {
      const options = ['--import', './src/quick-start.js', '--input-type=module']
      const output = execFileSync(process.execPath, [...options, '-e', script], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, FOLDER: folder }
      })
      const [areas, objects] = JSON.parse(output) as [string[], string[]]
      assert.equal(areas.length, AREAS.length)
      assert.ok(objects.length > 0)
      assert.deepEqual(
        objects.filter((name) => name.includes('duckdb')),
        []
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('has a body that loads, answers below its own paths alone, and has a worker for each kind of job', async () => {
    const test = await startTestApp()
    try {
      for (const { name, routes } of await test.app.load()) {
        const { paths, jobs = {} } = AREAS.find((area) => area.name === name) ?? assert.fail(name)
        for (const route of routes) {
          const address = addressOf(route)
          assert.ok(
            paths.some((path) => address === path || address.startsWith(`${path}/`)),
            address
          )
        }
        for (const kind of Object.keys(jobs)) assert.ok(kind.startsWith(`${name}.`), kind)
        assert.deepEqual((await test.app.workersOf(name)).sort(), Object.keys(jobs).sort(), name)
      }
    } finally {
      await test.close()
    }
  })

  it('declares what nobody else does', () => {
    assert.throws(
      () => declareErrors({ not_found: { status: 404, title: '', detail: '', about: '' } }),
      /declared twice/
    )
    assert.throws(() => declarePermissions(['catalog:read']), /declared twice/)
    const setting = { name: 'PORT', default: '', about: '', read: () => 1 }
    assert.throws(() => declareSettings({ anotherPort: setting }), /PORT is declared twice/)
    assert.throws(() => declareSettings({ maxThings: { ...setting, name: 'OTHER' } }), /OTHER is declared twice/)
  })
})

describe('an area that is added by a folder and a line', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ areas: [...AREAS, things], env: { MAX_THINGS: '7' } })
  })
  after(() => test.close())

  it('is served, with its setting, and not loaded before', async () => {
    assert.deepEqual(
      test.app.loadedAreas().filter((name) => name === 'things'),
      []
    )
    const { status, body } = await test.call('GET', '/api/things', { as: 'viewer' })
    assert.deepEqual([status, body], [200, { things: [], max: 7 }])
    assert.ok(test.app.loadedAreas().includes('things'))
    assert.equal((await test.call('GET', '/api/things/unknown', { as: 'viewer' })).body.code, 'route_not_found')
    assert.equal((await test.call('PUT', '/api/things', { as: 'viewer' })).body.code, 'method_not_allowed')
  })

  it('is described', async () => {
    const api = (await test.app.describe()) as {
      tags: { name: string }[]
      paths: Record<string, Record<string, object>>
    }
    assert.ok(api.tags.some(({ name }) => name === 'things'))
    assert.match(JSON.stringify(api.paths['/api/things']?.post), /thing_broken/)
  })

  it('is permitted by role and scope, and its errors have codes and pages', async () => {
    const refused = await test.call('POST', '/api/things', { as: 'viewer', body: { name: 'a' } })
    assert.deepEqual([refused.status, refused.body.permission], [403, 'things:write'])
    const key = await test.call('POST', '/api/api-keys', { as: 'admin', body: { name: 'k', scopes: ['things:read'] } })
    assert.equal(key.status, 201)
    const as = { token: key.body.key }
    assert.equal((await test.call('GET', '/api/things', { as })).status, 200)
    assert.equal((await test.call('GET', '/api/catalog/sources', { as })).status, 403)
    const broken = await test.call('POST', '/api/things', { as: 'editor', body: { name: 'no' } })
    assert.deepEqual([broken.status, broken.body.code, broken.body.title], [409, 'thing_broken', 'The thing is broken'])
    assert.match((await test.call('GET', '/api/docs/errors/thing_broken')).text, /Take another one/)
  })

  it('is audited, and its jobs are done', async () => {
    const { body } = await test.call('POST', '/api/things', { as: 'editor', body: { name: 'lamp' } })
    const { body: audit } = await test.call('GET', '/api/audit/logs?action=thing.create', { as: 'admin' })
    assert.ok(audit.logs.some((row: { resourceId: string }) => row.resourceId === body.id))
    await eventually(async () => {
      const row = await test.platform.metadata.db.selectFrom('things').selectAll().executeTakeFirstOrThrow()
      assert.deepEqual({ ...row }, { id: body.id, name: 'lamp', polished: 1 })
    })
  })

  it('is seen in health and metrics', async () => {
    const { body: health } = await test.call('GET', '/api/health')
    assert.equal(health.checks.things.status, 'ok')
    assert.match((await test.call('GET', '/metrics', { as: 'viewer' })).text, /^millrace_things 1$/m)
    await test.call('POST', '/api/things', { as: 'editor', body: { name: 'broken' } })
    await eventually(async () => {
      const { body } = await test.call('GET', '/api/health')
      assert.deepEqual([body.status, body.checks.things.message], ['degraded', '1 things are broken'])
    })
  })

  it('is backed up with its files, and examined', async () => {
    const { config, metadata } = test.platform
    mkdirSync(join(config.dataDir, 'things/kept'), { recursive: true })
    for (const name of ['lamp', 'broken', 'nobodys']) writeFileSync(join(config.dataDir, 'things/kept', name), name)
    const target = mkdtempSync(join(tmpdir(), 'millrace-areas-'))
    try {
      const copy = async () => {
        await (metadata as unknown as { copyTo(file: string): Promise<void> }).copyTo(join(target, 'metadata.db'))
        return true
      }
      const names = await writeWithKept(config, target, copy, [things.keptFiles ?? assert.fail()])
      assert.deepEqual(names.sort(), ['metadata.db', 'things/kept/broken', 'things/kept/lamp'])
      assert.equal(readFileSync(join(target, 'things/kept/lamp'), 'utf8'), 'lamp')
      assert.ok(metadataFile(config).endsWith('metadata.db'))
    } finally {
      rmSync(target, { recursive: true })
    }
    const found: string[] = []
    await examine({ DATA_DIR: config.dataDir, PORT: '0' }, false, ({ subject }) => void found.push(subject), [things])
    assert.ok(found.includes('things'))
  })

  it('is told by the doctor which of its files no row names, once they have been there for long', async () => {
    const { dataDir } = test.platform.config
    const kept = join(dataDir, 'things/kept')
    const longAgoS = Date.now() / 1000 - 3601
    const warnings = async () => {
      const found: string[] = []
      const tell = ({ level, subject, message }: Finding) =>
        level === 'warn' && subject === 'things' && found.push(message)
      await examine({ DATA_DIR: dataDir, PORT: '0' }, false, tell, [things])
      return found
    }
    rmSync(kept, { recursive: true, force: true })
    mkdirSync(kept, { recursive: true })
    for (const name of ['lamp', 'nobodys', 'a1', 'a2', 'a3', 'young']) {
      writeFileSync(join(kept, name), name)
      if (name !== 'young') utimesSync(join(kept, name), longAgoS, longAgoS)
    }
    const names = 'things/kept/a1, things/kept/a2, things/kept/a3 and 1 more'
    const advice = 'restart the server, and if they stay, move them away'
    assert.deepEqual(await warnings(), [`nothing in the database names ${names} in ${dataDir}: ${advice}`])
    for (const name of ['a1', 'a2', 'a3', 'nobodys']) rmSync(join(kept, name))
    assert.deepEqual(await warnings(), [])
  })
})
