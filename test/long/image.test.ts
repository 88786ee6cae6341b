// Once: the image has its own databases, and this brings the others.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import pg from 'pg'
import { readCompose } from '../support/compose.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { deskAt, tokenFor } from '../support/pipelines/site.ts'
import { startPostgres } from '../support/postgres.ts'
import { callServer } from '../support/process.ts'
import { missingCeph, startCeph } from '../support/servers/ceph.ts'
import { missingClickhouse, startClickhouse } from '../support/servers/clickhouse.ts'
import { PASSWORD } from '../support/servers/clickhouse-config.ts'
import { type Docker, missingDocker, startDocker } from '../support/servers/docker.ts'
import { missingNginx } from '../support/servers/nginx.ts'
import { startProxy } from '../support/servers/proxy.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'
import { stepsIn } from '../support/shell-steps.ts'
import { takeTour } from '../support/tour.ts'

const IMAGE = 'millrace'
const GRACE_MS = 35_000
const SECRET_KEY = 'test-secret-'.repeat(4)
const guide = readFileSync(join(import.meta.dirname, '../../docs/hardening.md'), 'utf8')

describe('the container image', { skip: missingDocker() ?? missingOfScaled() ?? false }, () => {
  let docker: Docker
  let folder: string

  before(async () => {
    folder = makeFolder('image')
    docker = await startDocker()
    await docker.build(IMAGE)
  })
  after(async () => {
    await docker?.stop()
    if (folder !== undefined) removeFolder(folder)
  })

  const ready = (url: string) =>
    eventually(async () => (await fetch(`${url}/api/health/ready`).catch(() => undefined))?.status === 200)
  const stateOf = async (name: string) => (await docker.run('inspect', '-f', '{{.State.ExitCode}}', name)).trim()

  /** Within the time that is given for it, and in order. */
  async function stops(name: string): Promise<void> {
    const fromMs = performance.now()
    await docker.run('stop', name)
    assert.ok(performance.now() - fromMs < GRACE_MS)
    assert.equal(await stateOf(name), '0')
  }

  it('runs as the guide to hardening says, and keeps its data', async (t) => {
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const sections = sectionsOf(guide)
    await inGuide(sections['In a container']?.slice(0, 1) ?? [], port)
    await ready(url)

    const [held = ''] = (await inGuide(sections['In a container']?.slice(1) ?? [], port)).slice(-1)
    assert.match(held, /^millrace true \[ALL\]$/m)
    assert.match(held, /^10001$/m)
    assert.match(held, /^CapEff:\s+0+$/m)
    assert.match(held, /^NoNewPrivs:\s+1$/m)
    assert.match(held, /^Seccomp:\s+2$/m)
    assert.match(held, /^read-only$/m)
    assert.match(held, /^0 failed, \d+ warnings/m)

    const [, secret = ''] = /^SECRET_KEY=(.*)$/m.exec(readFileSync(join(folder, 'millrace.env'), 'utf8')) ?? []
    const settings = { SECRET_KEY: secret, DATA_DIR: join(folder, 'nothing') }
    await takeTour({ PATH: String(process.env.PATH), ...settings, BASE: url, RUN: '1001' })

    const fromMs = performance.now()
    await stops('millrace')
    t.diagnostic(`stopped after ${Math.round(performance.now() - fromMs)} ms`)
    await docker.run('start', 'millrace')
    await ready(url)
    await keptTheTour(url, await tokenFor(settings))

    await inGuide([...(sections['In a container']?.slice(0, 1) ?? []), ...(sections.Secrets ?? [])], port, 'rotate')
    await ready(url)
    const rotated = readFileSync(join(folder, 'millrace.env'), 'utf8')
    assert.match(rotated, new RegExp(`^SECRET_KEY=[0-9a-f]{64},${secret}$`, 'm'))
    const first = rotated.slice('SECRET_KEY='.length).trim()
    await keptTheTour(url, await tokenFor({ ...settings, SECRET_KEY: first }))

    const [saved = ''] = await inGuide(sections['Backup and audit'] ?? [], port)
    assert.match(saved, /manifest|objects|ok/i)
    assert.ok(readFileSync(join(folder, 'backup-monday/manifest.json')))
    await stops('millrace')
    await docker.run('rm', '--volumes', 'millrace')
  })

  it('has a proxy before it that nginx takes as the guide has it', async () => {
    const [, block = ''] = /```nginx\n(.*?)```/s.exec(guide) ?? []
    const subject = ['-subj', '/CN=millrace.example.org', '-keyout', 'millrace.key', '-out', 'millrace.pem']
    await promisify(execFile)('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject], { cwd: folder })
    const config = join(folder, 'guide.conf')
    const http = `http {\naccess_log off;\n${block.replaceAll('/etc/ssl/', `${folder}/`)}}\n`
    writeFileSync(config, `pid "${folder}/guide.pid";\nevents {}\n${http}`)
    const nginx = promisify(execFile)('nginx', ['-t', '-e', 'stderr', '-c', config], {
      env: { PATH: `${process.env.PATH}:/usr/sbin` }
    })
    assert.match((await nginx).stderr, /test is successful/)
  })

  it('is one service as two replicas, with what compose.yaml gives them', async () => {
    const [postgres, ceph, clickhouse] = await Promise.all([startPostgres(), startCeph(), startClickhouse(folder)])
    const names = ['replica-1', 'replica-2']
    let proxy: Awaited<ReturnType<typeof startProxy>> | undefined
    try {
      const compose = readCompose({
        SECRET_KEY,
        POSTGRES_PASSWORD: 'postgres-password',
        CLICKHOUSE_PASSWORD: encodeURIComponent(PASSWORD),
        S3_ACCESS_KEY: ceph.accessKey,
        S3_SECRET_KEY: ceph.secretKey
      })
      await makeDatabase(postgres.url, 'postgres-password')
      // The names that services have in Compose, as they are found here.
      const places: Record<string, string> = {
        'postgres:5432': new URL(postgres.url).host,
        'clickhouse:8123': new URL(clickhouse.engineUrl('x')).host,
        's3:8333': `${ceph.host}:${ceph.port}`
      }
      const here = (value: string) =>
        Object.entries(places).reduce((text, [name, place]) => text.replace(name, place), value)
      const environment = Object.entries({ ...compose.services.millrace?.environment, ALLOWED_HOSTS: ceph.host })
      const [ports, proxyPort] = [[await freePort(), await freePort()], await freePort()]
      const { cap_drop: dropped = [], security_opt: options = [] } = compose.services.millrace ?? {}
      for (const [i, name] of names.entries()) {
        const settings = [...environment, ['HOST', '127.0.0.1'], ['PORT', String(ports[i])], ['RATE_LIMIT', '0']]
        const given = settings.flatMap(([key, value]) => ['--env', `${key}=${here(String(value))}`])
        const rights = [
          ...dropped.map((right) => `--cap-drop=${right}`),
          ...options.map((one) => `--security-opt=${one}`)
        ]
        const places = ['--read-only', '--tmpfs', '/tmp', '--volume', 'checkpoints:/data', '--network', 'host']
        await docker.run('run', '--detach', '--name', name, ...places, ...rights, ...given, IMAGE)
      }
      const replicas = ports.map((port) => `http://127.0.0.1:${port}`)
      for (const url of replicas) await ready(url)
      proxy = await startProxy(folder, proxyBlocks(compose.configs.nginx?.content ?? '', ports, proxyPort), proxyPort)

      const token = await tokenFor({ SECRET_KEY, DATA_DIR: join(folder, 'nothing') })
      await worksAtEither([proxy.url, ...replicas], token)
      for (const name of names) await stops(name)
    } catch (error) {
      for (const name of names) console.error(await docker.run('logs', '--tail', '30', name).catch(String))
      throw error
    } finally {
      for (const name of names) await docker.run('rm', '--force', '--volumes', name).catch(() => {})
      await proxy?.stop()
      await Promise.all([postgres.stop(), ceph.stop(), clickhouse.stop()])
    }
  })

  /** What the tour has left: a point, an object, a pipeline. */
  async function keptTheTour(url: string, token: string): Promise<void> {
    const call = (method: string, path: string, body?: unknown) => callServer(url, token, method, `/api${path}`, body)
    const { sources } = (await call('GET', '/catalog/sources?q=press')).body
    const query = { sourceId: sources[0].id, startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T01:00:00Z' }
    const { series } = (await call('POST', '/catalog/query', query)).body
    assert.equal(series[0].points.length, 2)
    const headers = { authorization: `Bearer ${token}` }
    const object = await fetch(`${url}/api/buckets/plant-reports-1001/objects/2026/january.csv`, { headers })
    assert.equal(await object.text(), 'time,temperature\n08:00,21.5\n')
    const { pipelines } = (await call('GET', '/pipelines')).body
    assert.deepEqual([pipelines[0].name, pipelines[0].status], ['to fahrenheit 1001', 'completed'])
  }

  /** Runs commands of the guide, with the network of the machine instead of a published port, which needs a bridge. */
  async function inGuide(scripts: readonly string[], port: number, skip?: 'rotate'): Promise<string[]> {
    const network = `--network host --env HOST=127.0.0.1 --env PORT=${port}`
    // Once it runs, the first block is there for its function alone.
    const without = (script: string) => script.replace(/^printf.*\n/m, '').replace(/^run_millrace\n/m, '')
    const texts = skip === 'rotate' ? [without(scripts[0] ?? ''), ...scripts.slice(1)] : scripts
    const script = texts.join('\n').replaceAll('--publish 127.0.0.1:8080:8080', network)
    const options = { cwd: folder, env: { ...docker.env }, timeout: 120_000 }
    const { stdout } = await promisify(execFile)('bash', ['--norc', '-euo', 'pipefail', '-c', script], options)
    return [stdout]
  }
})

function missingOfScaled(): string | undefined {
  return missingCeph() ?? missingClickhouse() ?? missingNginx()
}

/** The scripts below each heading. */
function sectionsOf(text: string): Record<string, string[]> {
  const sections = text.split(/^## /m).slice(1)
  return Object.fromEntries(
    sections.map((section) => [section.split('\n', 1)[0] as string, stepsIn(section).map(({ script }) => script)])
  )
}

async function makeDatabase(url: string, password: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`create role millrace login password '${password}'`)
  await client.query('create database millrace owner millrace')
  await client.end()
}

/** The configuration in compose.yaml, with the replicas by address: only Docker knows their name, and only a newer nginx asks. */
function proxyBlocks(content: string, ports: readonly number[], port: number): string {
  const servers = ports.map((one) => `server 127.0.0.1:${one};`).join('\n')
  const changes: [string, string][] = [
    ['resolver 127.0.0.11 valid=2s;\n', ''],
    ['server millrace:8080 resolve;', servers],
    ['listen 80;', `listen 127.0.0.1:${port};`]
  ]
  return changes.reduce((text, [from, to]) => {
    assert.ok(text.includes(from), `compose.yaml has no ${from}`)
    return text.replace(from, to)
  }, content)
}

/** What is written at one place is read at all. */
async function worksAtEither(urls: readonly string[], token: string): Promise<void> {
  const call = (url: string, method: string, path: string, body?: unknown) =>
    callServer(url, token, method, `/api${path}`, body)
  const [proxy = ''] = urls
  assert.equal((await call(proxy, 'GET', '/health')).body.status, 'ok')
  const { id: sourceId } = (await call(proxy, 'POST', '/catalog/sources', { name: 'press' })).body
  assert.equal((await call(proxy, 'POST', '/buckets', { name: 'reports' })).status, 201)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/plain' }
  for (const [i, url] of urls.entries()) {
    const points = [{ tag: 'a', time: `2026-01-01T00:00:0${i}Z`, value: i }]
    assert.equal((await call(url, 'POST', `/catalog/sources/${sourceId}/points`, points)).body.accepted, 1)
    const put = { method: 'PUT', headers, body: `object ${i}` }
    assert.equal((await fetch(`${url}/api/buckets/reports/objects/${i}.txt`, put)).status, 201)
  }
  const made = await Promise.all(
    urls.map(async (url, i) =>
      deskAt(url, token).launch(`count ${i}`, [
        { id: 'gen', type: 'generate', config: { fields: { n: 'n' }, count: 10 } },
        {
          id: 'out',
          type: 'object',
          config: { bucket: 'reports', prefix: `p${i}/`, format: 'ndjson' },
          inputs: ['gen']
        }
      ])
    )
  )
  for (const url of urls) {
    const query = { sourceId, startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T01:00:00Z' }
    const { series } = (await call(url, 'POST', '/catalog/query', query)).body
    assert.equal(series[0].points.length, urls.length)
    for (const i of urls.keys()) {
      const object = await fetch(`${url}/api/buckets/reports/objects/${i}.txt`, { headers })
      assert.equal(await object.text(), `object ${i}`)
      const { run } = await deskAt(url, token).reach(made[i] as string, 'completed')
      assert.deepEqual([run.balanced, run.ledger.recordsWritten], [true, 10])
    }
  }
}
