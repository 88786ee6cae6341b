import { Agent, request } from 'undici'

const CONNECTIONS = 250
const PIPELINED = 4
const MAX_PATHS = 2_000_000

/** A write that the server has acknowledged: its result can be read. */
export interface Written {
  readonly id: string
  readonly path: string
}

export interface Load {
  /** The writes acknowledged so far, in order. */
  readonly written: readonly Written[]
  /** Resolves once there are so many writes, or the server is gone. */
  until(count: number): Promise<void>
  /** Ends when every request under way has been answered or has failed. */
  stop(): Promise<void>
}

/** Keeps many writes under way at once, of two kinds, until it is stopped or the server no longer answers. */
export function keepWriting(url: string, token: string, concurrent: number): Load {
  const agent = new Agent({ connections: CONNECTIONS, pipelining: PIPELINED })
  const written: Written[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let running = true
  let number = 0

  async function write(): Promise<void> {
    while (running && written.length < MAX_PATHS) {
      const made = await writeOne(agent, url, token, number++)
      if (made === 'gone') running = false
      else if (made !== 'refused') written.push(made)
      for (const { count, resolve } of waiting) if (!running || written.length >= count) resolve()
    }
  }
  const writers = Promise.all(Array.from({ length: concurrent }, write))
  return {
    written,
    until: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    async stop() {
      running = false
      await writers
      await agent.destroy()
    }
  }
}

async function writeOne(
  agent: Agent,
  url: string,
  token: string,
  number: number
): Promise<Written | 'refused' | 'gone'> {
  const isKey = number % 2 === 0
  const path = isKey ? '/api/api-keys' : '/api/classification/resources'
  const name = `${process.hrtime.bigint()}-${number}`
  const body = isKey ? { name } : { resource: { type: 'dashboard', id: name }, level: 'internal' }
  try {
    const response = await request(url + path, {
      dispatcher: agent,
      method: 'POST',
      idempotent: true, // otherwise it would not share a connection with others under way
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body)
    })
    const answer = (await response.body.json()) as { id: string }
    return response.statusCode === 201 ? { id: answer.id, path: `${path}/${answer.id}` } : 'refused'
  } catch {
    return 'gone'
  }
}
