import assert from 'node:assert/strict'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'

/** A server with a bucket, `lake`, for tests of rules. */
export class QualityWorld {
  readonly test: TestApp
  #rules = 0

  private constructor(test: TestApp) {
    this.test = test
  }

  static async start(options: TestAppOptions = {}): Promise<QualityWorld> {
    const world = new QualityWorld(await startTestApp(options))
    await world.test.call('POST', '/api/buckets', { as: 'editor', body: { name: 'lake' } })
    return world
  }

  async put(key: string, body: string | Uint8Array): Promise<void> {
    const headers = { 'content-type': 'text/csv' }
    const { status } = await this.test.call('PUT', `/api/buckets/lake/objects/${key}`, { as: 'editor', body, headers })
    assert.ok(status < 300, String(status))
  }

  post(path: string, body?: object) {
    return this.test.call('POST', `/api/quality/${path}`, { as: 'editor', body })
  }

  /** Asks as a viewer, and expects an answer. */
  async get(path: string) {
    const { status, body, text } = await this.test.call('GET', `/api/quality/${path}`, { as: 'viewer' })
    assert.equal(status, 200, text)
    return body
  }

  /** Makes a rule; answers its id. */
  async make(rule: object): Promise<string> {
    const { status, body, text } = await this.post('rules', { name: `rule ${++this.#rules}`, ...rule })
    assert.equal(status, 201, text)
    return body.id
  }

  async evaluate(body: object) {
    const { status, body: evaluation, text } = await this.post('evaluate', body)
    assert.equal(status, 200, text)
    return evaluation
  }

  close(): Promise<void> {
    return this.test.close()
  }
}
