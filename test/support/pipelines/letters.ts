import assert from 'node:assert/strict'
import { startTestApp } from '../app.ts'
import { eventually } from '../eventually.ts'

/** A platform with a bucket `letters`, and what tests about dead letters do with its pipelines. */
export async function openLetters() {
  const test = await startTestApp()
  await test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'letters' } })

  const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    test.call(method, `/api/pipelines${path}`, { as: 'editor', body, headers })

  async function make(name: string, nodes: unknown): Promise<string> {
    const { status, body, text } = await call('POST', '', { name, nodes })
    assert.equal(status, 201, text)
    return body.id
  }
  async function reach(id: string, status: string) {
    return eventually(async () => {
      const { body } = await call('GET', `/${id}`)
      assert.equal(body.status, status, JSON.stringify(body.error))
      return body
    })
  }
  async function start(id: string, status: string) {
    const { status: answered, text } = await call('POST', `/${id}/start`)
    assert.equal(answered, 202, text)
    return reach(id, status)
  }
  async function stop(id: string) {
    await call('POST', `/${id}/stop`)
    return reach(id, 'stopped')
  }
  async function replay(id: string, body?: unknown) {
    const answer = await call('POST', `/${id}/dead-letters/replay`, body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body
  }
  const out = (prefix: string, input: string, rollSeconds = 3600) => {
    const config = { bucket: 'letters', prefix, format: 'ndjson', rollSeconds }
    return { id: 'out', type: 'object', config, inputs: [input] }
  }
  async function written(prefix: string): Promise<Record<string, unknown>[]> {
    const as = 'editor' as const
    const { body } = await test.call('GET', `/api/buckets/letters/objects?prefix=${prefix}&limit=1000`, { as })
    const objects = body.objects.map(({ name }: { name: string }) => encodeURIComponent(name))
    const texts: string[] = []
    for (const name of objects)
      texts.push((await test.call('GET', `/api/buckets/letters/objects/${name}`, { as })).text)
    return texts.flatMap((text) =>
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    )
  }
  const map = (select: object, input = 'in') => ({ id: 'map', type: 'map', config: { select }, inputs: [input] })

  return { close: () => test.close(), call, make, reach, start, stop, replay, out, written, map, test }
}

export type Letters = Awaited<ReturnType<typeof openLetters>>
