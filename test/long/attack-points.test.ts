// Once: what is proven is about the memory of the process and the turns of its writers, which no database has a part in.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { startNeighbour } from '../support/neighbour.ts'
import { callServer, createInstallation, type Env, type ServerProcess, startServer } from '../support/process.ts'
import { makeToken } from '../support/token.ts'
import { assertMs } from '../support/yardstick.ts'

const MIB = 1024 * 1024
const MAX_WRITE_BYTES = 32 * MIB
const UNPACKED_TIMES = 4
/** What a neighbour’s write may take while somebody sends much, in times of what the same takes while nobody does. */
const MAX_TIMES = 40
/** On a machine that is busy with other things, what nobody notices. */
const UNNOTICED_MS = 750
/** What else runs on the machine only ever makes it slower, so the best of so many counts. */
const ROUNDS = 3
/** What all bodies together may take beyond a writer who sends as much in small ones: their room, and what is made of it. */
const MAX_GROWTH_MIB = 700
/** As much as the largest bodies hold that are taken one after the other: points are put into files meanwhile, which takes memory. */
const USUAL_MIB = 256

const LINE = 'a value=1 1\n'
const lines = (bytes: number) => Buffer.from(LINE.repeat(Math.floor(bytes / LINE.length)))
const jsonPoints = (bytes: number) => {
  const point = '{"tag":"a","time":1,"value":1}'
  return Buffer.from(`[${Array.from({ length: Math.floor(bytes / (point.length + 1)) }, () => point).join(',')}]`)
}

describe('while somebody sends as many points as they can', { timeout: 1_500_000 }, () => {
  let server: ServerProcess
  let drop: () => Promise<void>
  let eve: string
  let adaToken: string
  let usualMs: number
  let usualMib: number

  before(async () => {
    const installation = await createInstallation()
    const env: Env = { ...installation.env, RATE_LIMIT: '60000' }
    drop = installation.drop
    server = await startServer(env)
    const tokenOf = (user: string) => makeToken(env, user, 'editor')
    ;[eve, adaToken] = [await tokenOf('eve'), await tokenOf('ada')]
    for (const [token, bucket] of [
      [eve, 'eve'],
      [adaToken, 'ada']
    ] as const) {
      assert.equal((await write(token, bucket, Buffer.from(LINE))).status, 204)
    }
    // The yardstick: many points that come as they should, which fill the memory that points have anyway.
    const watch = watchRss()
    const some = lines(MIB)
    for (let sent = 0; sent < USUAL_MIB; sent++) assert.equal(await taken(() => write(eve, 'eve', some)), 204)
    usualMib = await watch.highest()
    usualMs = await percentile(neighbour(() => setTimeout(5000)))
  })
  after(async () => {
    await server.stop('SIGKILL')
    await drop()
  })

  function write(token: string, bucket: string, body: Uint8Array, more: Record<string, string> = {}) {
    return send(`/api/v2/write?bucket=${bucket}&precision=s`, token, body, more)
  }

  /** Status 0: the connection was closed before all was sent, as a refusal of a large body may do. */
  async function send(path: string, token: string, body: Uint8Array, headers: Record<string, string>) {
    const answer = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: body as Uint8Array<ArrayBuffer>
    }).catch((error: Error) => error)
    if (answer instanceof Error) return { status: 0, text: answer.message }
    return { status: answer.status, text: await answer.text() }
  }

  /** What is answered once there is room for it: what was sent before may not be in files yet. */
  async function taken(again: () => Promise<{ status: number }>): Promise<number> {
    for (;;) {
      const { status } = await again()
      if (status !== 503 && status !== 0) return status
      await setTimeout(500)
    }
  }

  async function pathOfPoints(): Promise<string> {
    const { body } = await callServer(server.url, eve, 'GET', '/api/catalog/sources')
    const { id } = body.sources.find(({ name }: { name: string }) => name === 'eve')
    return `/api/catalog/sources/${id}/points?precision=s`
  }

  /** How long each of ada’s writes takes until `work` is over; every one is taken. */
  async function neighbour(work: () => Promise<unknown>): Promise<number[]> {
    const ada = startNeighbour(server.url, adaToken)
    const [worked] = await Promise.allSettled([work()])
    const { times, refusals } = await ada.stop()
    if (worked.status === 'rejected') throw worked.reason
    assert.deepEqual(refusals.slice(0, 3), [])
    return times
  }

  const percentile = async (times: Promise<number[]>) => {
    const sorted = (await times).sort((a, b) => a - b)
    return sorted[Math.floor(sorted.length * 0.99)] as number
  }

  function watchRss() {
    let mib = 0
    const look = () => {
      const [, kib] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? []
      mib = Math.max(mib, Number(kib) / 1024)
    }
    const timer = setInterval(look, 20).unref()
    return {
      async highest() {
        clearInterval(timer)
        look()
        return mib
      }
    }
  }

  async function bears(what: string, work: () => Promise<unknown>, tell: (line: string) => void): Promise<void> {
    const limitMs = Math.max(UNNOTICED_MS, usualMs * MAX_TIMES)
    let bestMs = Number.POSITIVE_INFINITY
    for (let round = 0; round < ROUNDS && bestMs > limitMs; round++) {
      const watch = watchRss()
      const ms = await percentile(neighbour(work))
      const mib = await watch.highest()
      tell(
        `${what}: p99 ${ms.toFixed(0)} ms, usually ${usualMs.toFixed(0)}; ${mib.toFixed(0)} MiB, usually ${usualMib.toFixed(0)}`
      )
      assert.ok(mib <= usualMib + MAX_GROWTH_MIB, `${what}: ${mib} MiB, and ${usualMib} MiB usually`)
      bestMs = Math.min(bestMs, ms)
    }
    assertMs(bestMs, limitMs)
  }

  const PACKED = { 'content-encoding': 'gzip' }

  it('small bodies that unpack to far too much are refused while they are unpacked', async (t) => {
    const body = gzipSync(Buffer.alloc(240 * MIB, LINE))
    const path = await pathOfPoints()
    await bears(
      'bombs',
      async () => {
        for (let round = 0; round < 3; round++) {
          const answers = await Promise.all([
            ...Array.from({ length: 4 }, () => write(eve, 'eve', body, PACKED)),
            send(path, eve, body, { ...PACKED, 'content-type': 'application/x-ndjson' }),
            send(path, eve, body, { ...PACKED, 'content-type': 'application/json' })
          ])
          for (const { status, text } of answers) {
            assert.ok([0, 413, 503].includes(status), text)
            if (status === 413) assert.match(text, /134217728 bytes.*divide this one/)
          }
          assert.ok(answers.some(({ status }) => status === 413))
        }
      },
      t.diagnostic.bind(t)
    )
    // Packed twice it is no line, whatever is in it.
    assert.equal((await write(eve, 'eve', gzipSync(body), PACKED)).status, 400)
  })

  it('the largest packed bodies that are taken leave room for others', async (t) => {
    const body = gzipSync(lines(MAX_WRITE_BYTES * UNPACKED_TIMES))
    const statuses: number[] = []
    const work = async () => {
      for (let round = 0; round < 2; round++) statuses.push(await taken(() => write(eve, 'eve', body, PACKED)))
      const many = await Promise.all(Array.from({ length: 6 }, () => write(eve, 'eve', body, PACKED)))
      statuses.push(...many.map(({ status }) => status))
    }
    await bears('largest packed', work, t.diagnostic.bind(t))
    assert.ok(statuses.every((status) => [0, 204, 503].includes(status)))
    assert.deepEqual(statuses.slice(0, 2), [204, 204])
  })

  it('thirty large bodies at once leave room for others', async (t) => {
    const body = lines(MAX_WRITE_BYTES)
    const statuses: number[] = []
    const one = async () => statuses.push((await write(eve, 'eve', body)).status)
    await bears('thirty', () => Promise.all(Array.from({ length: 30 }, one)), t.diagnostic.bind(t))
    assert.ok(statuses.every((status) => [0, 204, 503].includes(status)))
    assert.ok(statuses.filter((status) => status === 204).length >= 3)
  })

  it('large bodies of JSON, plain and packed, and of things that are no points, leave room for others', async (t) => {
    const path = await pathOfPoints()
    const json = { 'content-type': 'application/json' }
    const good = jsonPoints(MAX_WRITE_BYTES - MIB)
    const empty = Buffer.from(`[${'{},'.repeat((30 * MIB) / 3)}{}]`)
    const deep = Buffer.from(`${'['.repeat(15 * MIB)}${']'.repeat(15 * MIB)}`)
    const fields = Buffer.from(`a ${'b=1,'.repeat(7 * MIB)}b=1\n`)
    const labels = Buffer.from(`a,${'b=1,'.repeat(7 * MIB)}b=1 v=1\n`)
    const work = async () => {
      assert.equal(await taken(() => send(path, eve, good, json)), 200)
      assert.equal(await taken(() => send(path, eve, gzipSync(good), { ...json, ...PACKED })), 200)
      for (const body of [empty, deep]) assert.equal(await taken(() => send(path, eve, body, json)), 400)
      for (const body of [fields, labels]) assert.equal(await taken(() => write(eve, 'eve', body)), 400)
    }
    await bears('JSON', work, t.diagnostic.bind(t))
  })
})
