// Once: what clients of InfluxDB 1 send.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/support/app.ts'
import { makeKey } from '../../../test/support/catalog.ts'

describe('clients of InfluxDB 1', () => {
  let test: TestApp
  let key: string
  before(async () => {
    test = await startTestApp()
    key = await makeKey(test, ['catalog:write'])
  })
  after(() => test.close())

  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(test.url + path, { method: 'POST', body, headers })

  async function countIn(name: string): Promise<number | undefined> {
    const { body } = await test.call('GET', `/api/catalog/sources?q=${encodeURIComponent(name)}`, { as: 'viewer' })
    return body.sources.find((source: { name: string }) => source.name === name)?.pointCount
  }

  it('write at the root and below /api, with a password, parameters or a token', async () => {
    for (const [n, [path, authorization]] of [
      ['/write?db=old', basic('telegraf', key)],
      ['/api/write?db=old', basic('', key)],
      [`/write?db=old&u=telegraf&p=${key}`, undefined],
      ['/write?db=old', `Token ${key}`],
      ['/write?db=old', `Bearer ${key}`]
    ].entries()) {
      const headers = authorization === undefined ? undefined : { authorization }
      const answer = await post(path as string, `m value=1 ${n + 1}`, headers)
      assert.equal(answer.status, 204, `${path} ${await answer.text()}`)
    }
    assert.equal(await countIn('old'), 5)
    for (const [path, authorization] of [
      ['/write?db=old', basic('telegraf', 'wrong')],
      ['/write?db=old', basic('telegraf', '')],
      ['/write?db=old', 'Basic %%%'],
      ['/write?db=old&u=telegraf&p=wrong', undefined],
      ['/write?db=old', undefined]
    ]) {
      const headers = authorization === undefined ? undefined : { authorization }
      const answer = await post(path as string, 'm value=1', headers)
      assert.equal(answer.status, 401, `${path} ${authorization}`)
      assert.equal(typeof ((await answer.json()) as { error: unknown }).error, 'string')
    }
    assert.ok(test.logged.length > 0 && !test.logged.some((line) => line.includes(key)))
  })

  it('name a database, and a retention policy that is part of the name', async () => {
    const authorization = basic('x', key)
    await post('/write?db=metrics&rp=autogen&consistency=any', 'm value=1 1', { authorization })
    await post('/write?db=metrics&rp=weekly&precision=s', 'm value=1 1', { authorization })
    assert.deepEqual([await countIn('metrics'), await countIn('metrics/weekly')], [1, 1])
    assert.equal((await post('/write', 'm value=1', { authorization })).status, 400)
  })

  it('find the reason of a refusal where they look for it', async () => {
    const answer = await post('/write?db=reasons', 'good value=1 1\nbad', { authorization: basic('x', key) })
    const { error, accepted, rejected } = (await answer.json()) as Record<string, unknown>
    assert.deepEqual([answer.status, accepted, rejected], [400, 1, 1])
    assert.match(String(error), /^partial write: 1 of 2 lines refused; line 2: /)
  })

  it('make their database first', async () => {
    const headers = { authorization: basic('x', key), 'content-type': 'application/x-www-form-urlencoded' }
    const run = (q: string) => post('/query', new URLSearchParams({ q }).toString(), headers)
    const made = await run('CREATE DATABASE "my \\"own\\" db"')
    assert.deepEqual([made.status, await made.json()], [200, { results: [{ statement_id: 0 }] }])
    assert.equal((await run('CREATE DATABASE "my \\"own\\" db"')).status, 200, 'one that is there')
    assert.equal(await countIn('my "own" db'), 0)
    const asked = await post(`/query?q=${encodeURIComponent('create database plain with duration 3d;')}`, '', headers)
    assert.equal(asked.status, 200)
    assert.equal(await countIn('plain'), 0)
    for (const q of ['SHOW DATABASES', 'DROP DATABASE plain', 'CREATE DATABASE ""', 'CREATE DATABASE "a\0b"', '']) {
      const refused = await run(q)
      assert.equal(refused.status, 400, q)
      assert.equal(typeof ((await refused.json()) as { error: unknown }).error, 'string')
    }
    const viewer = { token: await test.token('somebody', 'viewer') }
    const { status } = await test.call('POST', '/query?q=CREATE%20DATABASE%20x', { as: viewer })
    assert.equal(status, 403)
  })

  it('hear that somebody is there', async () => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(`${test.url}/ping`, { method })
      assert.deepEqual([answer.status, await answer.text()], [204, ''])
      assert.match(answer.headers.get('x-influxdb-version') ?? '', /^\d+\.\d+/)
    }
  })
})
