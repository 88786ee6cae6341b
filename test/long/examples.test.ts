// Once: it starts many servers, and is about none of the databases.
import assert from 'node:assert/strict'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { NODE_TYPES } from '../../src/areas/pipelines/nodes/index.ts'
import { startTestApp, type TestApp } from '../support/app.ts'
import { eventually } from '../support/eventually.ts'
import { type Client, clientOf } from '../support/pipelines/client.ts'
import { EXAMPLES, type Looks } from '../support/pipelines/examples-checks.ts'
import { type ExampleServers, startExampleServers, TOOLS } from '../support/pipelines/examples-servers.ts'
import { missingPrograms } from '../support/servers/installed.ts'
import { makeFolder, removeFolder } from '../support/servers/service.ts'
import { assertShows, commandsIn, runInShell, stepsIn } from '../support/shell-steps.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const guide = read('docs/pipelines.md')
const readme = read('docs/examples/README.md')
const files = globSync('*.yaml', { cwd: join(root, 'docs/examples') }).sort()

describe('the examples', () => {
  const folder = makeFolder('examples')
  let servers: ExampleServers
  let test: TestApp
  let client: Client
  let env: Record<string, string>

  before(async () => {
    const settings = { ALLOW_PRIVATE_NETWORKS: 'true', PIPELINE_PROCESSES: '1' }
    servers = await startExampleServers(folder)
    test = await startTestApp({ env: settings })
    const token = await test.token('ada', 'admin')
    client = clientOf(test.url, token)
    env = { BASE: test.url, TOKEN: token, TOOLS: servers.http.url }
    mkdirSync(join(folder, 'yaml'))
    for (const file of files) writeFileSync(join(folder, 'yaml', file), replaced(read(`docs/examples/${file}`)))
  })
  after(async () => {
    await test?.close()
    await servers?.stop()
    removeFolder(folder)
  })

  /** All that is other in the test than in the files: where servers are, and what they ask for. */
  function replaced(text: string): string {
    const { mqtt, nats, kafka, clickhouse, postgres, http } = servers
    const clickhouseUrl = clickhouse?.nodes[0]?.url ?? 'http://127.0.0.1:1'
    const REPLACE: readonly [string, string][] = [
      ['docs/examples/', join(folder, 'yaml/')],
      ['127.0.0.1:1883', `127.0.0.1:${mqtt?.port}`],
      ['-p 1883', `-p ${mqtt?.port}`],
      ['127.0.0.1:4222', `127.0.0.1:${nats?.port}`],
      ['127.0.0.1:9092', `127.0.0.1:${kafka?.port}`],
      ['http://127.0.0.1:8000', http.url],
      ['http://127.0.0.1:8123', clickhouseUrl],
      ['port: 8123', `port: ${new URL(clickhouseUrl).port}`],
      ['port: 5432', `port: ${postgres.port}`],
      ['password: change-me', `password: ${JSON.stringify(postgres.password)}`]
    ]
    return REPLACE.reduce((result, [from, to]) => result.replaceAll(from, () => to), text)
  }

  function looksAt(id: string): Looks {
    const pipeline = () => client.get(`/pipelines/${id}`)
    const data = () => client.get(`/pipelines/${id}/data?start=2026-01-01T00:00:00Z&end=2026-12-31T00:00:00Z`)
    return {
      client,
      servers,
      pipeline,
      async points() {
        const { rows } = await data()
        return rows.map(({ tag, time, value }: Record<string, unknown>) => `${tag} ${time} ${value}`).sort()
      },
      rows: async () => (await data()).rows,
      async records(bucket, prefix) {
        const { objects } = await client.get(`/buckets/${bucket}/objects?prefix=${prefix}`)
        const texts = objects.map(({ name }: { name: string }) => client.text(`/buckets/${bucket}/objects/${name}`))
        const lines = (await Promise.all(texts)).join('').trim().split('\n')
        return lines.map((line) => JSON.parse(line))
      },
      async deadLetters() {
        const { deadLetters } = await client.get(`/pipelines/${id}/dead-letters`)
        return deadLetters.map(({ nodeId, code }: Record<string, unknown>) => `${nodeId} ${code}`)
      }
    }
  }

  it('are all tested, and all in the list', () => {
    assert.equal(files.length, 12)
    assert.deepEqual(Object.keys(EXAMPLES).sort(), files)
    assert.deepEqual([...readme.matchAll(/\]\((\S+\.yaml)\)/g)].map(([, file]) => file).sort(), files)
  })

  for (const [file, { missing, check }] of Object.entries(EXAMPLES)) {
    it(`${file} does what its comment says`, { skip: missing ?? missingPrograms('curl') ?? false }, async () => {
      const commands = commandsIn(replaced(read(`docs/examples/${file}`)))
      const [{ script: setUp = '' } = {}] = stepsIn(readme)
      const printed = await runInShell([setUp + TOOLS, commands, 'printf %s "$PIPELINE"'], env)
      const id = printed[2] as string
      const looks = looksAt(id)
      await eventually(() => check(looks))
      if (['running', 'starting'].includes((await client.get(`/pipelines/${id}`)).status)) {
        await client.post(`/pipelines/${id}/stop`)
      }
      const { run, error, nodes } = await eventually(async () => {
        const found = await client.get(`/pipelines/${id}`)
        return ['stopped', 'completed', 'failed'].includes(found.status) && found
      })
      assert.deepEqual([error, run.balanced], [null, true])
      await check(looks)
      const exported = await client.get(`/pipelines/${id}/export`)
      assert.deepEqual(exported.nodes, nodes)
    })
  }

  it('the guide has commands that work as written', { skip: missingPrograms('curl') ?? false }, async () => {
    const steps = stepsIn(guide)
    const answers = await runInShell(
      steps.map(({ script }) => script),
      env
    )
    for (const [index, { script, answer }] of steps.entries()) {
      if (answer !== undefined) assertShows(JSON.parse(answers[index] as string), answer, script)
    }
    assert.ok(steps.filter(({ answer }) => answer !== undefined).length >= 8)
  })

  it('the guide names every type of node, in its role', () => {
    const [, section = ''] = guide.split(/^## Nodes$/m)
    const named = [...(section.split(/^## /m)[0]?.matchAll(/^\| `(\w+)` +\| (\w+) /gm) ?? [])]
    assert.deepEqual(
      named.map(([, type, role]) => `${role} ${type}`).sort(),
      NODE_TYPES.map(({ type, role }) => `${role} ${type}`).sort()
    )
  })
})
