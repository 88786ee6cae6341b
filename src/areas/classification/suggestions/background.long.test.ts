import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/support/app.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { Uploads } from './uploads.ts'

describe('data that are looked at by themselves', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp({ env: { CLASSIFY_UPLOADS: 'true' } })
    assert.equal((await test.call('POST', '/api/buckets', { as: 'admin', body: { name: 'incoming' } })).status, 201)
  })
  after(() => test.close())

  const put = async (key: string, content: string, contentType = 'text/csv') => {
    const headers = { authorization: `Bearer ${await test.token('editor', 'editor')}`, 'content-type': contentType }
    const response = await fetch(`${test.url}/api/buckets/incoming/objects/${key}`, {
      method: 'PUT',
      headers,
      body: content
    })
    assert.ok(response.ok)
  }
  const scanOf = async (resource: string) => {
    const { body } = await test.call('GET', `/api/classification/scans?resource=${resource}`, { as: 'viewer' })
    return body.scans[0]
  }
  const openIn = async (resource: string) => {
    const query = `resource=${resource}&status=open`
    const { body } = await test.call('GET', `/api/classification/suggestions?${query}`, { as: 'viewer' })
    return body.suggestions.map(({ column, kind }: Record<string, string>) => `${column}: ${kind}`)
  }

  it('are those that are uploaded, where SQL can read them', async () => {
    await put('picture.png', 'no table', 'image/png')
    await put('people.csv', 'who,x\na@example.org,1\nb@example.org,2\n')
    const scan = await eventually(async () => {
      const found = await scanOf('object://incoming/people.csv')
      assert.ok(found)
      return found
    })
    assert.deepEqual([scan.cause, scan.error, scan.rowsRead], ['upload', null, 2])
    assert.deepEqual(await openIn('object://incoming/people.csv'), ['who: email'])
    assert.equal(await scanOf('object://incoming/picture.png'), undefined)
    const { logs } = (
      await test.call('GET', '/api/audit/logs?action=classification-suggestion.sample', { as: 'admin' })
    ).body
    assert.ok(
      logs.some(
        ({ user, resourceType }: Record<string, unknown>) =>
          user === null && resourceType === 'classification-suggestion'
      )
    )
  })

  it('leave a row that says why, where they can’t be read', async () => {
    await put('broken.parquet', 'this is no parquet', 'application/vnd.apache.parquet')
    const scan = await eventually(async () => {
      const found = await scanOf('object://incoming/broken.parquet')
      assert.ok(found)
      return found
    })
    assert.deepEqual([scan.error.code, scan.rowsRead], ['data_unreadable', 0])
    const { checkSuggestions } = await import('./condition.ts')
    assert.match(JSON.stringify(await checkSuggestions(test.platform as never)), /broken\.parquet/)
  })

  it('wait in a backlog that has an end', async () => {
    const added: string[] = []
    const { promise: isBlocked, resolve: goOn } = Promise.withResolvers<void>()
    let hear: (event: object) => void = () => {}
    const uploads = new Uploads({
      config: { classifyUploads: true },
      log: { error: assert.fail },
      bus: {
        subscribe: (_pattern: string, callback: typeof hear) => {
          hear = callback
          return () => {}
        }
      },
      jobs: { enqueue: async (_tx: unknown, { key }: { key: string }) => void added.push(key), wake: () => {} },
      metadata: {
        transaction: async (work: (tx: unknown) => Promise<unknown>) => {
          await isBlocked
          return work(test.platform.metadata.db)
        }
      }
    } as never)
    uploads.start()
    const uploaded = (n: number) =>
      hear({ bucket: 'b', key: `${n}.csv`, sizeBytes: n === 0 ? 10 ** 12 : 1, contentType: 'text/csv' })
    for (let n = 0; n <= 1200; n++) uploaded(n)
    goOn()
    await uploads.stop()
    assert.deepEqual([added.length, uploads.leftOut], [1001, 199])
    assert.equal(added.includes('object://b/0.csv'), false, 'it is too large')
  })
})

describe('data that schedules look at', () => {
  let test: TestApp

  before(async () => {
    test = await startTestApp()
    assert.equal((await test.call('POST', '/api/buckets', { as: 'admin', body: { name: 'daily' } })).status, 201)
  })
  after(() => test.close())

  const make = (resources: string) =>
    test.call('POST', '/api/scheduler/schedules', {
      as: 'editor',
      body: {
        name: resources,
        cron: '0 3 1 1 *',
        timeZone: 'UTC',
        target: { type: 'classification', config: { resources } }
      }
    })

  it('are each object of a pattern, again only when it has changed', async () => {
    const headers = { authorization: `Bearer ${await test.token('editor', 'editor')}`, 'content-type': 'text/csv' }
    for (const key of ['a.csv', 'b.txt', 'c.parquet']) {
      const body = key === 'c.parquet' ? 'no parquet' : 'who\na@example.org\n'
      await fetch(`${test.url}/api/buckets/daily/objects/${key}`, { method: 'PUT', headers, body })
    }
    const { status, body: schedule } = await make('object://daily/*')
    assert.equal(status, 201, JSON.stringify(schedule))
    const path = `/api/scheduler/schedules/${schedule.id}`
    const run = async (runs: number) => {
      assert.equal((await test.call('POST', `${path}/run`, { as: 'editor' })).status, 202)
      return eventually(async () => {
        const { runs: rows } = (await test.call('GET', `${path}/history`, { as: 'viewer' })).body
        const ended = rows.filter(({ state }: { state: string }) => !['queued', 'running'].includes(state))
        assert.equal(ended.length, runs)
        return ended
      })
    }
    const [first] = await run(1)
    assert.deepEqual(
      [first.state, first.reason],
      ['succeeded', '1 looked at, 0 unchanged, 1 could not be read; 1 suggestions are open']
    )
    const rows = await run(2)
    const messages = rows.map(({ reason }: { reason: string }) => reason)
    assert.ok(
      messages.includes('0 looked at, 1 unchanged, 1 could not be read; 0 suggestions are open'),
      messages.join()
    )
    const refused = await test.call('DELETE', '/api/buckets/daily', { as: 'admin' })
    assert.equal(refused.status, 409)
  })

  it('are data that SQL can read', async () => {
    for (const resources of ['nonsense', 'model://m/1', 'dashboard://d']) {
      const { status, body } = await make(resources)
      assert.deepEqual([status, body.errors?.[0].pointer], [400, '/target/config/resources'], resources)
    }
  })
})
