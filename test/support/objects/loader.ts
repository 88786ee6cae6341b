import assert from 'node:assert/strict'
import { randomBytes, randomInt } from 'node:crypto'
import { Agent, request } from 'undici'
import { INLINE_BYTES } from '../../../src/engines/objects/disk/database.ts'

const BUCKET = 'crash'
const MAX_BYTES = 8 * 1024 * 1024
const BLOCK = randomBytes(MAX_BYTES)

/** What may be found under a key: the content acknowledged last, or one whose answer has not come. */
interface Expected {
  acknowledged: Buffer | undefined
  underWay: Buffer | undefined
}

interface Listed {
  readonly name: string
  readonly size: number
}

/** Writes objects of all sizes, some repeatedly, and knows what has to be there afterwards. */
export class ObjectLoader {
  readonly #expected = new Map<string, Expected>()
  readonly #authorization: string
  #number = 0
  acknowledged = 0

  constructor(token: string) {
    this.#authorization = `Bearer ${token}`
  }

  async makeBucket(url: string): Promise<void> {
    const headers = { authorization: this.#authorization, 'content-type': 'application/json' }
    const { status } = await fetch(`${url}/api/buckets`, { method: 'POST', headers, body: `{"name":"${BUCKET}"}` })
    assert.equal(status, 201)
  }

  /** Keeps so many uploads under way until the server is gone. */
  async uploadUntilGone(url: string, concurrent: number): Promise<void> {
    const agent = new Agent({ connections: concurrent })
    const write = async (writer: number) => {
      while (await this.#upload(url, agent, writer));
    }
    await Promise.all(Array.from({ length: concurrent }, (_, writer) => write(writer)))
    await agent.destroy()
  }

  /**
   * Checks that everything acknowledged is there byte for byte, and that every listed object is whole. Answers how
   * many objects have files of their own.
   */
  async check(url: string): Promise<number> {
    const objects = await this.#list(url)
    const listed = objects.map(({ name }) => name)
    const missing = [...this.#expected].filter(
      ([key, { acknowledged }]) => acknowledged !== undefined && !listed.includes(key)
    )
    assert.deepEqual(missing, [], 'acknowledged and gone')
    const left = [...listed]
    const check = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.#checkOne(url, key)
    }
    await Promise.all(Array.from({ length: 8 }, check))
    return objects.filter(({ size }) => size > INLINE_BYTES).length
  }

  async #checkOne(url: string, key: string): Promise<void> {
    const response = await fetch(`${url}/api/buckets/${BUCKET}/objects/${key}`, {
      headers: { authorization: this.#authorization }
    })
    assert.equal(response.status, 200, key)
    const found = Buffer.from(await response.arrayBuffer())
    const { acknowledged, underWay } = this.#expected.get(key) ?? {}
    const known = [acknowledged, underWay].find((body) => body?.equals(found))
    assert.ok(known !== undefined, `${key} is neither what was acknowledged nor what was under way`)
    this.#expected.set(key, { acknowledged: known, underWay: undefined })
  }

  async #upload(url: string, agent: Agent, writer: number): Promise<boolean> {
    const number = this.#number++
    const key = number % 3 === 0 ? `again-${writer}` : `new-${number}`
    const sizeBytes = [1024, 60_000, 200_000, 300_000, 1_000_000, MAX_BYTES][randomInt(6)] as number
    const body = BLOCK.subarray(randomInt(MAX_BYTES - sizeBytes + 1)).subarray(0, sizeBytes)
    const expected = this.#expected.get(key) ?? { acknowledged: undefined, underWay: undefined }
    this.#expected.set(key, expected)
    expected.underWay = body
    try {
      const answer = await request(`${url}/api/buckets/${BUCKET}/objects/${key}`, {
        method: 'PUT',
        dispatcher: agent,
        headers: { authorization: this.#authorization },
        body
      })
      await answer.body.dump()
      if (answer.statusCode !== 201) return answer.statusCode === 503
    } catch {
      return false
    }
    expected.acknowledged = body
    expected.underWay = undefined
    this.acknowledged++
    return true
  }

  async #list(url: string): Promise<Listed[]> {
    const objects: Listed[] = []
    let cursor = ''
    for (;;) {
      const path = `/api/buckets/${BUCKET}/objects?recursive=true&limit=1000${cursor}`
      const response = await fetch(url + path, { headers: { authorization: this.#authorization } })
      const page = (await response.json()) as { objects: Listed[]; nextCursor: string | null }
      objects.push(...page.objects)
      if (page.nextCursor === null) return objects
      cursor = `&cursor=${page.nextCursor}`
    }
  }
}
